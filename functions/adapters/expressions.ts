import { type Millis, toSeconds } from '../domain/brands.ts'
import type { Condition, Transition, ValuesOf, When } from '../domain/transition.ts'
import type { Item, PutItem, Query, UpdateItem } from './wire/dynamo-calls.ts'

/*
 * The only place that spells DynamoDB's expressions: those of the protocol are made from its transitions.
 * Values are named after what they are compared with; more than a transition needs do no harm.
 */

export type Values<Of extends Transition> = Readonly<Record<ValuesOf<Of>, unknown>> & Item

/** An instant in both units that a condition may compare with. */
export const at = (now: Millis) => ({ now, nowSeconds: toSeconds(now) })

/** A call for a transition of the protocol: its table, then the whole item or the key of one, then the values it needs. */
type Render<Call> = <const Of extends Transition>(
  table: string,
  itemOrKey: Item,
  transition: Of,
  values: Values<Of>,
) => Call

/** The whole item, under the transition's condition. */
export const put: Render<PutItem> = (TableName, Item, transition: Transition, values: Item) => ({
  TableName,
  Item,
  ...conditionOf(rendered(transition, values), values),
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
})

/** Only what the transition sets, under its condition. */
export const update: Render<UpdateItem> = (TableName, Key, transition: Transition, values: Item) => {
  const made = rendered(transition, values)
  return { TableName, Key, UpdateExpression: made.change, ...conditionOf(made, values) }
}

/** The part of one partition, of a table or an index, that lies in a range of its sort key. */
export const keyCondition = (
  [partitionKey, partition]: readonly [string, string],
  [sortKey, range]: readonly [string, SortRange],
): Pick<Query, 'KeyConditionExpression' | 'ExpressionAttributeValues'> => ({
  KeyConditionExpression: `${partitionKey} = :partition AND ${sortKey} ${RANGES[rangeOf(range)]}`,
  ExpressionAttributeValues: { ':partition': partition, ...boundsOf(range) },
})

export type SortRange =
  | { readonly before: string }
  | { readonly from: string }
  | { readonly from: string; readonly until: string }

const RANGES = { before: '< :before', from: '>= :from', between: 'BETWEEN :from AND :until' } as const

const boundsOf = (range: SortRange): Item => {
  if ('before' in range) return { ':before': range.before }
  return 'until' in range ? { ':from': range.from, ':until': range.until } : { ':from': range.from }
}

const rangeOf = (range: SortRange): keyof typeof RANGES =>
  'before' in range ? 'before' : 'until' in range ? 'between' : 'from'

interface Rendered {
  /** Empty: it may always. */
  readonly condition: string
  readonly change: string
  /** Only those that are used: DynamoDB refuses any other. */
  readonly names: Readonly<Record<string, string>> | undefined
  /** Statuses, which stand for themselves. */
  readonly fixed: Item
  /** All other values that are used, by how they are spelled. */
  readonly used: readonly (readonly [spelling: string, name: string])[]
}

const conditionOf = ({ condition, names, fixed, used }: Rendered, values: Item) => {
  const all = { ...fixed }
  for (const [spelling, name] of used) all[spelling] = values[name]
  return {
    ConditionExpression: condition || undefined,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: all,
  }
}

const known = new WeakMap<Transition, Map<string, Rendered>>()

/** Once for each transition and each choice of what it sets: a delivery makes the same few calls again and again. */
const rendered = (transition: Transition, values: Item): Rendered => {
  const shapes = known.get(transition) ?? new Map<string, Rendered>()
  known.set(transition, shapes)
  const sets = transition.sets === 'item' ? [] : transition.sets
  let shape = ''
  for (const name of sets) shape += values[name] === undefined ? 'u' : values[name] === null ? 'n' : 's'
  const made = shapes.get(shape) ?? render(transition, sets, values)
  shapes.set(shape, made)
  return made
}

type Spell = (name: string) => string

const render = (transition: Transition, sets: readonly string[], values: Item): Rendered => {
  const names: Record<string, string> = {}
  const fixed: Item = {}
  const used = new Map<string, string>()
  const spelled: Spell = path =>
    path.replace(RESERVED, word => {
      names[`#${word}`] = word
      return `#${word}`
    })
  const value: Spell = name => {
    used.set(`:${name}`, name)
    return `:${name}`
  }
  const status: Spell = name => {
    fixed[`:${name}`] = name
    return `${spelled(transition.of.statusAt)} = :${name}`
  }
  return {
    change: transition.sets === 'item' ? '' : changeText(transition, sets, values, spelled, value, status),
    condition: conditionText(transition, spelled, value, status),
    names: Object.keys(names)[0] ? names : undefined,
    fixed,
    used: [...used],
  }
}

/** Attributes of ours whose names DynamoDB keeps for itself. */
const RESERVED = /\b(at|before|bytes|position|state|status|to|version)\b/g

/** A value that is null removes its attribute, one that is undefined leaves it as it is. */
const changeText = (
  { to, setsOnce = [], removes = [], adds = [] }: Transition,
  sets: readonly string[],
  values: Item,
  spelled: Spell,
  value: Spell,
  status: Spell,
): string => {
  const set = [
    ...(to ? [status(to)] : []),
    ...sets.filter(each => values[each] != null).map(each => `${spelled(each)} = ${value(each)}`),
    ...setsOnce.map(each => `${spelled(each)} = if_not_exists(${spelled(each)}, ${value(each)})`),
  ]
  const removed = [...removes, ...sets.filter(each => values[each] === null)].map(spelled)
  const added = adds.map(each => `${spelled(each)} ${value(each)}`)
  return `SET ${set.join(', ')}${section(' REMOVE ', removed)}${section(' ADD ', added)}`
}

const section = (keyword: string, changes: readonly string[]): string =>
  changes[0] ? keyword + changes.join(', ') : ''

const conditionText = ({ of, from, when }: Transition, spelled: Spell, value: Spell, status: Spell): string => {
  const text = (condition: When): string => {
    if (typeof condition === 'boolean') return ''
    if ('all' in condition) return all(condition.all.map(text))
    if ('any' in condition) return any(condition.any.map(text))
    const [attribute, is, compared] = condition
    return compared ? `${spelled(attribute)} ${is} ${value(compared)}` : `attribute_not_exists(${attribute})`
  }
  const starts = startsOf(of.statuses, from).map(([start, statuses]) =>
    all([statuses.length < of.statuses.length ? any(statuses.map(status)) : '', text(start)]),
  )
  const found = starts[0] === undefined ? [] : [all([text(when ?? true), any(starts)])]
  const absent = from.absent ? [ABSENT, ...(of.expires ? [EXPIRED] : [])].map(text) : []
  return any([...absent, ...found])
}

const ABSENT: Condition = ['fingerprint', 'absent']
const EXPIRED: Condition = ['expiresAt', '<=', 'nowSeconds']

/** The statuses that it may start from, together if the same must hold. */
const startsOf = (statuses: readonly string[], from: Transition['from']): readonly (readonly [When, string[]])[] => {
  const starts = new Map<When, string[]>()
  for (const status of statuses) {
    const start = from[status]
    if (start) starts.set(start, [...(starts.get(start) ?? []), status])
  }
  return [...starts]
}

/** A part without text always holds: with others it says nothing, beside others it says it all. */
const all = (texts: readonly string[]): string =>
  joined(
    texts.filter(text => text !== ''),
    ' AND ',
  )
const any = (texts: readonly string[]): string => (texts.includes('') ? '' : joined(texts, ' OR '))

const joined = (texts: readonly string[], operator: string): string =>
  texts.length > 1 ? texts.map(text => (COMPOUND.test(text) ? `(${text})` : text)).join(operator) : (texts[0] ?? '')

const COMPOUND = / AND | OR /
