import type { NamedCall } from '../name-calls.ts'
import type { PolicyDocument, Statement } from '../read-grants.ts'
import { grouped, list, short } from '../table.ts'
import { COMMANDS, type Command, POLICIES, type Policy } from './commands.ts'
import { type Outcome, predictOutcomes } from './predict-outcomes.ts'
import type { CommandProof } from './prove-commands.ts'

/** Which policies a command needs, what uses each grant, and what misses each statement: as docs/iam.md shows it. */
export const commandTables = (
  { calls, rows }: CommandProof,
  managed: Readonly<Record<Policy, PolicyDocument>>,
): string => {
  const used = rows.filter(({ by }) => by === 'used')
  const explained = grouped(
    rows.filter(({ by }) => typeof by === 'object'),
    ({ by }) => (typeof by === 'object' ? by.reason : ''),
  )
  return [
    ...table(
      ['policies', 'commands'],
      grouped(COMMANDS, wanted).map(([policies, group]) => [policies, list(group.map(({ name }) => name))]),
    ),
    '',
    `The ${COMMANDS.length} commands make ${calls.length} different calls, and their policies allow each of them. Of ${rows.length} grants, ${used.length} are used:`,
    '',
    ...table(
      ['policy', 'on', 'allows'],
      grouped(used, ({ caller, resource }) => `\`${caller}\` | \`${short(resource)}\``).map(([head, group]) => [
        head,
        list(group.map(({ action }) => action)),
      ]),
    ),
    '',
    ...explained.map(
      ([reason, group]) =>
        `- The other ${group.length} of ${list(group.map(({ action }) => action))} in \`${group[0]?.caller}\`: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.`,
    ),
    '',
    'What the recorded calls say of a statement that is taken away; `-- --take-away` tries it on MiniStack:',
    '',
    ...table(
      ['policy', 'without', 'refused, with the name of the policy', 'does the rest, and names the policy'],
      POLICIES.flatMap(policy => managed[policy].Statement.map(statement => missed(policy, statement, calls, managed))),
    ),
  ].join('\n')
}

const wanted = ({ needs = [], shows = [] }: Command): string =>
  [list(['ReadPolicy', ...needs]), ...(shows.length > 0 ? [`; more with ${list(shows)}`] : [])].join('')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`)

const missed = (
  policy: Policy,
  statement: Statement,
  calls: readonly NamedCall[],
  managed: Readonly<Record<Policy, PolicyDocument>>,
): readonly string[] => {
  const outcomes = predictOutcomes(policy, statement, calls, managed)
  const those = (wanted: Outcome): string => {
    const names = outcomes.filter(([, outcome]) => outcome === wanted).map(([{ name }]) => name)
    return names.length > 12 ? `${names.length} commands` : list(names)
  }
  const [resource = ''] = [statement.Resource].flat()
  return [
    `\`${policy}\``,
    `${list([statement.Action].flat())} on \`${short(resource)}\``,
    those('refused'),
    those('tells'),
  ]
}
