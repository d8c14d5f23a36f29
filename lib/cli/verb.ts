import type { Refusal } from '../connect/refusal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Arguments, Choices, Flags } from './flags.ts'

/** One command. Its help is made of the same table that reads its flags, so the two cannot differ. */
export interface Verb<Known extends Flags = Flags> {
  readonly summary: string
  /** What follows the verb: `<source>` has to, `[name]` may. */
  readonly operands: readonly string[]
  /** What a shell offers for each operand. @default nothing */
  readonly completes?: readonly Choices[]
  /** What a newcomer wants to know, and examples that work. */
  readonly teaches: string
  readonly flags: Known
  run(given: Arguments<Known>, terminal: Terminal, everyVerb: EveryVerb): Promise<number | Refusal>
}

/** Loads all commands, for the one that has to know the others. */
export type EveryVerb = () => Promise<readonly (readonly [name: string, verb: Verb])[]>

export const verb = <const Known extends Flags>(definition: Verb<Known>): Verb<Known> => definition
