import { nearest } from '../../functions/providers/suggest.ts'
import { type Refusal, refuse } from '../connect/refusal.ts'
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

/** The action of a verb that has several, such as `secrets set`. */
export const findAction = <Action>(actions: Readonly<Record<string, Action>>, name: string): Action | Refusal => {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action !== undefined) return action
  const suggestion = nearest(name, Object.keys(actions))
  const hint = suggestion ? `did you mean "${suggestion}"?` : `expected ${Object.keys(actions).join(', ')}.`
  return refuse(`Unknown action "${name}": ${hint}`, 2)
}
