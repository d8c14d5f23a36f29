import type { Arguments, Flags } from '../../lib/cli/flags.ts'
import type { Refusal } from '../../lib/connect/refusal.ts'

/** A program that proves or measures something. Its help is made of the table that reads its flags, so the two cannot differ. */
export interface Tool<Known extends Flags = Flags> {
  /** What it does, in the list of tools. */
  readonly summary: string
  /** What else its user wants to know, such as what exit code 1 means. */
  readonly teaches?: string
  readonly flags: Known
  /** What may follow its name; `[each...]` takes any number. @default nothing */
  readonly operands?: readonly string[]
  /** Answers the exit code. */
  run(given: Arguments<Known>): Promise<number | Refusal>
}

export const tool = <const Known extends Flags>(definition: Tool<Known>): Tool<Known> => definition

export const print = (text: string): void => void process.stdout.write(`${text}\n`)
export const complain = (text: string): void => void process.stderr.write(`${text}\n`)
