import { covers } from '../list-grants.ts'
import type { NamedCall } from '../name-calls.ts'
import type { PolicyDocument, Statement } from '../read-grants.ts'
import { COMMANDS, type Command, type Policy, policiesOf } from './commands.ts'

/** `tells`: it does the rest, and says what it could not look at. */
export type Outcome = 'refused' | 'tells'

/** What a statement that is taken away does to the commands that were seen to use it. The others make the same calls as before. */
export const predictOutcomes = (
  policy: Policy,
  statement: Statement,
  calls: readonly NamedCall[],
  managed: Readonly<Record<Policy, PolicyDocument>>,
): readonly (readonly [Command, Outcome])[] =>
  COMMANDS.flatMap(command => {
    const all = policiesOf(command)
    if (!all.includes(policy)) return []
    const others = all.flatMap(each => managed[each].Statement).filter(each => each !== statement)
    const missed = calls
      .filter(call => call.caller === command.name && allows(statement, call))
      .filter(call => !others.some(other => allows(other, call)))
    if (missed.length === 0) return []
    const canLack = ({ action }: NamedCall) => command.shows?.includes(policy) || command.canLack?.includes(action)
    return [[command, missed.every(canLack) ? 'tells' : 'refused'] as const]
  })

const allows = ({ Action, Resource }: Statement, { action, resource }: NamedCall): boolean =>
  [Action].flat().includes(action) && [Resource].flat().some(pattern => covers(pattern, resource))
