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
export const put: Render<PutItem> = (TableName, Item, transition: Transition, values: Item) => {
  const { condition, names, used } = rendered(transition, values)
  return {
    TableName,
    Item,
    ConditionExpression: condition,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: chosen(used, values),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }
}

/** Only what the transition sets, under its condition. */
export const update: Render<UpdateItem> = (TableName, Key, transition: Transition, values: Item) => {
  const { condition, change, names, used } = rendered(transition, values)
  return {
    TableName,
    Key,
    UpdateExpression: change,
    ConditionExpression: condition,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: chosen(used, values),
  }
}

/** The part of one partition, of a table or an index, that lies in a range of its sort key. */
export const keyCondition = (
  [partitionKey, partition]: readonly [string, string],
  [sortKey, range]: readonly [string, SortRange],
): Pick<Query, 'KeyConditionExpression' | 'ExpressionAttributeValues'> => ({
  KeyConditionExpression: `${partitionKey} = :partition AND ${sortKey} ${RANGES[rangeOf(range)]}`,
  ExpressionAttributeValues: {
    ':partition': partition,
    ...Object.fromEntries(Object.entries(range).map(([bound, value]) => [`:${bound}`, value])),
  },
})

export type SortRange =
  | { readonly before: string }
  | { readonly from: string }
  | { readonly from: string; readonly until: string }

const RANGES = { before: '< :before', from: '>= :from', between: 'BETWEEN :from AND :until' } as const

const rangeOf = (range: SortRange): keyof typeof RANGES =>
  'before' in range ? 'before' : 'until' in range ? 'between' : 'from'

interface Rendered {
  /** `undefined`: it may always. */
  readonly condition: string | undefined
  readonly change: string
  /** Only those that are used: DynamoDB refuses any other. */
  readonly names: Readonly<Record<string, string>> | undefined
  /** How each value is spelled, and its name, or a status that stands for itself. */
  readonly used: readonly (readonly [spelling: string, name: string, isStatus: boolean])[]
}

const chosen = (used: Rendered['used'], values: Item): Item => {
  const all: Item = {}
  for (const [spelling, name, isStatus] of used) all[spelling] = isStatus ? name : values[name]
  return all
}

const known = new WeakMap<Transition, Map<string, Rendered>>()

/** Once for each transition and each choice of what it sets: a delivery makes the same few calls again and again. */
const rendered = (transition: Transition, values: Item): Rendered => {
  const { sets } = transition
  let shape = ''
  if (sets !== 'item')
    for (const name of sets) shape += values[name] === undefined ? 'u' : values[name] === null ? 'n' : 's'
  const shapes = known.get(transition) ?? new Map<string, Rendered>()
  const before = shapes.get(shape)
  if (before) return before
  const made = render(transition, values)
  known.set(transition, shapes.set(shape, made))
  return made
}

interface Spelling {
  name(path: string): string
  value(name: string): string
  status(name: string): string
}

const render = (transition: Transition, values: Item): Rendered => {
  const names: Record<string, string> = {}
  const used = new Map<string, Rendered['used'][number]>()
  const note = (name: string, isStatus: boolean): string => {
    used.set(name, [`:${name}`, name, isStatus])
    return `:${name}`
  }
  const spelling: Spelling = {
    name: path =>
      path.replace(RESERVED, word => {
        names[`#${word}`] = word
        return `#${word}`
      }),
    value: name => note(name, false),
    status: name => note(name, true),
  }
  return {
    change: transition.sets === 'item' ? '' : changeText(transition, transition.sets, values, spelling),
    condition: conditionText(transition, spelling) || undefined,
    names: Object.keys(names)[0] ? names : undefined,
    used: [...used.values()],
  }
}

/** Attributes of ours whose names DynamoDB keeps for itself. */
const RESERVED = /\b(at|bytes|position|state|status|version)\b/g

/** A value that is null removes its attribute, one that is undefined leaves it as it is. */
const changeText = (
  { of, to, setsOnce = [], removes = [] }: Transition,
  sets: readonly string[],
  values: Item,
  { name, value, status }: Spelling,
): string => {
  const said = sets.filter(each => values[each] !== undefined)
  const set = [
    ...(to ? [`${name(of.statusAt)} = ${status(to)}`] : []),
    ...said.filter(each => values[each] !== null).map(each => `${name(each)} = ${value(each)}`),
    ...setsOnce.map(each => `${name(each)} = if_not_exists(${name(each)}, ${value(each)})`),
  ]
  const removed = [...removes, ...said.filter(each => values[each] === null)].map(name)
  return `SET ${set.join(', ')}${removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''}`
}

/** Empty if it may always. */
const conditionText = ({ of, from, when }: Transition, { name, value, status }: Spelling): string => {
  const text = (condition: Condition): string => {
    if ('all' in condition) return all(condition.all.map(text))
    if ('any' in condition) return any(condition.any.map(text))
    const [attribute, is, compared] = condition
    return compared ? `${name(attribute)} ${is} ${value(compared)}` : `attribute_not_exists(${attribute})`
  }
  const isAt = (each: string): string => `${name(of.statusAt)} = ${status(each)}`
  const starts = startsOf(of.statuses, from).map(([statuses, start]) =>
    all([statuses.length < of.statuses.length ? any(statuses.map(isAt)) : '', start === true ? '' : text(start)]),
  )
  const found = starts.length > 0 ? [all([when ? text(when) : '', any(starts)])] : []
  const absent = from.absent ? [ABSENT, ...(of.expires ? [EXPIRED] : [])].map(text) : []
  return any([...absent, ...found])
}

const ABSENT: Condition = ['fingerprint', 'absent']
const EXPIRED: Condition = ['expiresAt', '<=', 'nowSeconds']

/** The statuses that it may start from, together if the same must hold. */
const startsOf = (statuses: readonly string[], from: Transition['from']) => {
  const starts = new Map<Exclude<When, false>, string[]>()
  for (const status of statuses) {
    const start = from[status]
    if (start) starts.set(start, [...(starts.get(start) ?? []), status])
  }
  return [...starts].map(([start, of]) => [of, start] as const)
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
