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
  ...spelledOut(spelling => conditionText(transition, values, spelling)),
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
})

/** Only what the transition sets, under its condition. */
export const update: Render<UpdateItem> = (TableName, Key, transition: Transition, values: Item) => {
  let UpdateExpression = ''
  const condition = spelledOut(spelling => {
    UpdateExpression = changeText(transition, values, spelling)
    return conditionText(transition, values, spelling)
  })
  return { TableName, Key, UpdateExpression, ...condition }
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

/** How names and values stand in an expression; remembers those that were used, since DynamoDB refuses any other. */
interface Spelling {
  name(path: string): string
  value(name: string, value: unknown): string
}

const spelledOut = (conditionOf: (spelling: Spelling) => string) => {
  const names: Record<string, string> = {}
  const values: Item = {}
  const ConditionExpression = conditionOf({
    name: path =>
      path.replace(RESERVED, word => {
        names[`#${word}`] = word
        return `#${word}`
      }),
    value: (name, value) => {
      values[`:${name}`] = value
      return `:${name}`
    },
  })
  return {
    ConditionExpression: ConditionExpression || undefined,
    ExpressionAttributeNames: Object.keys(names)[0] ? names : undefined,
    ExpressionAttributeValues: values,
  }
}

/** Attributes of ours whose names DynamoDB keeps for itself. */
const RESERVED = /\b(at|bytes|position|state|status|version)\b/g

/** A value that is null removes its attribute, one that is undefined leaves it as it is. */
const changeText = (transition: Transition, values: Item, { name, value }: Spelling): string => {
  const { of, to, sets, setsOnce = [], removes = [] } = transition
  const said = (sets === 'item' ? [] : sets).filter(each => values[each] !== undefined)
  const set = [
    ...(to ? [`${name(of.statusAt)} = ${value(to, to)}`] : []),
    ...said.filter(each => values[each] !== null).map(each => `${name(each)} = ${value(each, values[each])}`),
    ...setsOnce.map(each => `${name(each)} = if_not_exists(${name(each)}, ${value(each, values[each])})`),
  ]
  const removed = [...removes, ...said.filter(each => values[each] === null)].map(name)
  return `SET ${set.join(', ')}${removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''}`
}

/** Empty if it may always. */
const conditionText = ({ of, from, when }: Transition, values: Item, { name, value }: Spelling): string => {
  const text = (condition: Condition): string => {
    if ('all' in condition) return all(condition.all.map(text))
    if ('any' in condition) return any(condition.any.map(text))
    const [attribute, is, compared] = condition
    return compared
      ? `${name(attribute)} ${is} ${value(compared, values[compared])}`
      : `attribute_not_exists(${attribute})`
  }
  const status = (each: string): string => `${name(of.statusAt)} = ${value(each, each)}`
  const starts = startsOf(of.statuses, from).map(([statuses, start]) =>
    all([statuses.length < of.statuses.length ? any(statuses.map(status)) : '', start === true ? '' : text(start)]),
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
