import { createInterface } from 'node:readline/promises'
import { type Refusal, refuse } from '../connect/refusal.ts'
import { painted } from './escape.ts'

/** `undefined` when it may go on. Without a terminal nobody can be asked, and `--yes` has to say it. */
export const confirm = async (
  question: string,
  expected: string,
  { stdin, stderr } = process,
): Promise<undefined | Refusal> => {
  if (!stdin.isTTY) return refuse('There is no terminal to ask on: add --yes to go ahead.', 2)
  const asking = createInterface({ input: stdin, output: stderr })
  // Ctrl-C and Ctrl-D are a no.
  const closed = new Promise<string>(resolve => asking.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([asking.question(`${painted(question)} `), closed])
    return answer.trim().toLowerCase() === expected.toLowerCase() ? undefined : refuse('Nothing was done.')
  } finally {
    asking.close()
  }
}
