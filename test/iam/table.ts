import type { Proof } from './proof.ts'

/** Both directions of the proof, as the command prints them and docs/iam.md shows them. */
export const proofTables = ({ calls, rows }: Proof): string => {
  const used = rows.filter(({ by }) => by === 'used')
  const explained = rows.filter(({ by }) => typeof by === 'object')
  return [
    `${calls.length} different calls were recorded, and the roles allow each of them. Of ${rows.length} grants, ${used.length} are used by a recorded call:`,
    '',
    '| function | on | does |',
    '| --- | --- | --- |',
    ...grouped(used, ({ caller, resource }) => `${caller} | \`${short(resource)}\``).map(
      ([head, group]) => `| ${head} | ${list(group.map(({ action }) => action))} |`,
    ),
    '',
    `The other ${explained.length} are there for a reason:`,
    '',
    '| may | functions | why |',
    '| --- | --- | --- |',
    ...grouped(explained, ({ by }) => (typeof by === 'object' ? by.reason : '')).map(([reason, group]) => {
      const { by } = group[0] ?? {}
      const on = typeof by === 'object' && by.resources ? ` on ${list(by.resources)}` : ''
      return `| ${list(group.map(({ action }) => action))}${on} | ${[...new Set(group.map(({ caller }) => caller))].join(', ')} | ${reason} |`
    }),
  ].join('\n')
}

export const grouped = <Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly [string, Item[]][] =>
  Object.entries(Object.groupBy(items, keyOf)) as [string, Item[]][]

export const list = (names: readonly string[]): string => [...new Set(names)].map(name => `\`${name}\``).join(', ')

export const short = (arn: string): string =>
  arn.replace(/^arn:(?:[^:]*:){4}(?:table\/|secret:)?/, '').replace(/-000000$/, '')
