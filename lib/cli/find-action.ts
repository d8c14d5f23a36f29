import { nearest } from '../../functions/providers/suggest.ts'
import { type Refusal, refuse } from '../connect/refusal.ts'

/** The action of a verb that has several, such as `secrets set`. */
export const findAction = <Action>(actions: Readonly<Record<string, Action>>, name: string): Action | Refusal => {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action !== undefined) return action
  const suggestion = nearest(name, Object.keys(actions))
  const hint = suggestion ? `did you mean "${suggestion}"?` : `expected ${Object.keys(actions).join(', ')}.`
  return refuse(`Unknown action "${name}": ${hint}`, 2)
}
