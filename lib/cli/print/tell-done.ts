import { jsonLines, type Terminal } from '../../terminal/terminal.ts'

/** What became of an act, as JSON or as a sentence: 0 if it was done, else 1. */
export const tellDone = (done: boolean, value: unknown, message: string, json: boolean, terminal: Terminal): number => {
  if (json) terminal.out(jsonLines(value))
  else (done ? terminal.out : terminal.err)(message)
  return done ? 0 : 1
}
