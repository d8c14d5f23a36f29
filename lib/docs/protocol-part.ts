import { STATUSES, type Status } from '../../functions/contract/status.ts'
import type { Condition, Transition, When } from '../../functions/domain/transition.ts'
import { PROTOCOL, type TransitionName } from '../../functions/domain/whole-protocol.ts'
import { PART_WORDS, TRANSITION_WORDS } from './protocol-words.ts'

/** The picture and the tables of docs/architecture.md, made from the transitions themselves. */
export const protocolPart = (): string =>
  [
    'Within one generation a status never goes back; only a reopening or a replay begins the next one.',
    '',
    picture(),
    '',
    'Every transition of the record. A write whose condition does not hold changes nothing and is told so.',
    '',
    table(named.filter(([, { of }]) => of.statuses === STATUSES)),
    '',
    'And of what lies beside it: guards, answers to an Idempotency-Key, versions, audits, jobs, cursors, bodies, kept deliveries.',
    '',
    table(named.filter(([, { of }]) => of.statuses !== STATUSES)),
  ].join('\n')

/** In the order of an event's life. */
const named = (Object.keys(TRANSITION_WORDS) as TransitionName[]).map(
  name => [name, PROTOCOL[name] as Transition] as const,
)

/** Only moves from one status to another: what leaves it as it is stands in the table. */
const picture = (): string => {
  const labels = new Map<string, string[]>()
  for (const [name, { of, from, to }] of named) {
    if (of.statuses !== STATUSES || to === undefined) continue
    const starts: readonly string[] = name.startsWith('recreate') ? ['absent'] : Object.keys(from)
    for (const start of starts.filter(each => from[each] !== false && each !== to)) {
      const edge = `${start === 'absent' ? '[*]' : start} --> ${to}`
      labels.set(edge, [...(labels.get(edge) ?? []), name])
    }
  }
  const ends = ['done', 'failed', 'ignored'] as const satisfies readonly Status[]
  const lines = [...labels].map(([edge, names]) => `    ${edge} : ${names.join(', ')}`)
  return ['```mermaid', 'stateDiagram-v2', ...lines, ...ends.map(end => `    ${end} --> [*]`), '```'].join('\n')
}

const table = (rows: typeof named): string =>
  [
    '| transition | by | from | to | writes | what for |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(([name, transition]) => {
      const [by, what] = TRANSITION_WORDS[name]
      const cells = [name, by, fromWords(transition), transition.to ?? 'stays', writeWords(transition), what]
      return `| ${cells.join(' | ')} |`
    }),
  ].join('\n')

const fromWords = ({ of, from, when }: Transition): string => {
  const groups = new Map<When, string[]>()
  for (const status of ['absent', ...of.statuses]) {
    const start = from[status] ?? false
    if (start !== false) groups.set(start, [...(groups.get(start) ?? []), wordFor(status, of)])
  }
  const starts = [...groups].map(([start, statuses]) =>
    start === true ? statuses.join(', ') : `${statuses.join(', ')} if ${words(start as Condition)}`,
  )
  return `${starts.join('; ')}${when ? `; always ${words(when)}` : ''}`
}

const wordFor = (status: string, { expires }: Transition['of']): string =>
  status === 'absent' ? (expires ? 'absent or expired' : 'absent') : status

const words = (condition: Condition): string => {
  if ('all' in condition) return condition.all.map(inner).join(' and ')
  if ('any' in condition) return condition.any.map(inner).join(' or ')
  const said = PART_WORDS[condition.join(' ')]
  if (said === undefined) throw new Error(`no words for "${condition.join(' ')}": add them to PART_WORDS`)
  return said
}

const inner = (condition: Condition): string =>
  'all' in condition || 'any' in condition ? `(${words(condition)})` : words(condition)

const writeWords = ({ sets, setsOnce = [], removes = [], adds = [] }: Transition): string => {
  if (sets === 'item') return 'the whole item'
  const once = setsOnce.map(name => `${name} (once)`)
  const counted = adds.map(name => `${name} (counted)`)
  return [...sets, ...once, ...removes.map(name => `no ${name}`), ...counted].join(', ')
}
