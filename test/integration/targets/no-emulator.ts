/** For whoever typed the command: a sentence, and no trace of where it was noticed. */
export const noEmulator = (sentence: string): Error =>
  Object.assign(new Error(sentence), { stack: `Error: ${sentence}` })
