import fc from 'fast-check'
import type { DynamoCalls, Item, TransactWrite } from '../../../functions/adapters/wire/dynamo-calls.ts'
import type { TableShape } from '../../../lib/memory-aws/table.ts'
import { anyCondition, anyUpdate, anyValue, type Rendered } from './random-expressions.ts'

/** One with a sort key and one without; an index of keys and one of everything. */
export const TABLES = {
  alone: {
    partitionKey: { name: 'id', type: 'S' },
    indexes: [
      {
        name: 'listing',
        partitionKey: { name: 'listing', type: 'S' },
        sortKey: { name: 'at', type: 'S' },
        projection: 'KEYS_ONLY',
      },
    ],
  },
  ranged: {
    partitionKey: { name: 'id', type: 'S' },
    sortKey: { name: 'place', type: 'N' },
    indexes: [{ name: 'listing', partitionKey: { name: 'listing', type: 'S' }, projection: 'ALL' }],
  },
} as const satisfies Record<string, TableShape>

export type TableName = keyof typeof TABLES

/** A call of the wire, as data: a failing sequence is shown whole. */
export interface Operation {
  readonly call: keyof DynamoCalls
  readonly input: Record<string, unknown>
}

const table = fc.constantFrom<TableName[]>('alone', 'ranged')

/** `@` stands for the sequence: sequences share the tables and not the items. */
const id = fc.constantFrom('@a', '@b', '@c')
const place = fc.constantFrom(1, 2, 10, -1)
const text = fc.constantFrom('a', 'ab', 'b', 'é', '\uffff', '😀')

const keyOf = (name: TableName): fc.Arbitrary<Item> =>
  fc.oneof(
    { weight: 40, arbitrary: name === 'alone' ? fc.record({ id }) : fc.record({ id, place }) },
    fc.constantFrom<Item[]>({}, { id: '' }, { id: 1 }, { id: '@a', more: 1 }, { id: '@a', place: '1' }),
  )

const optional = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(arbitrary, { nil: undefined })

const attributes: fc.Arbitrary<Item> = fc
  .record({
    a: optional(anyValue),
    b: optional(anyValue),
    status: optional(anyValue),
    m: optional(fc.constantFrom<unknown[]>({ x: 1 }, { x: { y: 'a' } }, { status: [] }, 1)),
    l: optional(fc.constantFrom<unknown[]>([1, 'a'], ['a', ['b', 'c']], [], 'text')),
    listing: optional(fc.oneof({ weight: 20, arbitrary: fc.constant('@list') }, fc.constantFrom<unknown[]>('', 1))),
    at: optional(fc.oneof({ weight: 20, arbitrary: text }, fc.constantFrom<unknown[]>('', 1))),
  })
  .map(item => Object.fromEntries(Object.entries(item).filter(([, each]) => each !== undefined)))

const itemOf = (name: TableName): fc.Arbitrary<Item> =>
  fc.tuple(attributes, keyOf(name)).map(([others, key]) => ({ ...others, ...key }))

const onFailure = fc.constantFrom('ALL_OLD', 'NONE', undefined)

/** The parameters of a call that its expressions need; the values of both in one. */
const withExpressions = (condition: Rendered | undefined, update: Rendered | undefined): Record<string, unknown> => {
  const names = { ...condition?.names, ...update?.names }
  const values = { ...condition?.values, ...update?.values }
  return {
    ...(condition && { ConditionExpression: condition.text }),
    ...(update && { UpdateExpression: update.text }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  }
}

const compact = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([, each]) => each !== undefined))

const putOf = (name: TableName): fc.Arbitrary<Record<string, unknown>> =>
  fc.tuple(itemOf(name), optional(anyCondition), onFailure).map(([Item, condition, tells]) =>
    compact({
      TableName: name,
      Item,
      ...withExpressions(condition, undefined),
      ReturnValuesOnConditionCheckFailure: tells,
    }),
  )

const keyedOf = (
  name: TableName,
  condition: fc.Arbitrary<Rendered | undefined>,
  update: fc.Arbitrary<Rendered | undefined>,
): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(keyOf(name), condition, update, onFailure)
    .map(([Key, when, change, tells]) =>
      compact({ TableName: name, Key, ...withExpressions(when, change), ReturnValuesOnConditionCheckFailure: tells }),
    )

const none = fc.constant(undefined)

const put = table.chain(name =>
  fc
    .tuple(putOf(name), fc.constantFrom('ALL_OLD', 'NONE'))
    .map(([input, ReturnValues]): Operation => ({ call: 'putItem', input: { ...input, ReturnValues } })),
)

const updating = table.chain(name =>
  fc
    .tuple(keyedOf(name, optional(anyCondition), anyUpdate), fc.constantFrom('ALL_NEW', 'NONE'))
    .map(([input, ReturnValues]): Operation => ({ call: 'updateItem', input: { ...input, ReturnValues } })),
)

const get = table.chain(name =>
  keyOf(name).map((Key): Operation => ({ call: 'getItem', input: { TableName: name, Key, ConsistentRead: true } })),
)

const batch = table.chain(name =>
  fc
    .array(keyOf(name), { minLength: 1, maxLength: 4 })
    .map((Keys): Operation => ({ call: 'batchGetItem', input: { TableName: name, Keys, ConsistentRead: true } })),
)

const writeOf = (name: TableName): fc.Arbitrary<TransactWrite> =>
  fc.oneof(
    { weight: 3, arbitrary: putOf(name).map(Put => ({ Put })) },
    { weight: 3, arbitrary: keyedOf(name, optional(anyCondition), anyUpdate).map(Update => ({ Update })) },
    keyedOf(name, optional(anyCondition), none).map(Delete => ({ Delete })),
    keyedOf(name, anyCondition, none).map(ConditionCheck => ({ ConditionCheck })),
  )

/** Few tokens: one is met again with the same writes, and with others. */
const transaction = fc
  .tuple(fc.constantFrom('@1', '@2', '@3'), fc.array(table.chain(writeOf), { minLength: 1, maxLength: 3 }))
  .map(
    ([ClientRequestToken, TransactItems]): Operation => ({
      call: 'transactWriteItems',
      input: { ClientRequestToken, TransactItems },
    }),
  )

/** Conditions on keys, right ones and wrong ones, with a table or an index that most of them fit. */
const KEY_CONDITIONS: readonly Record<string, unknown>[] = [
  { TableName: 'alone', KeyConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': '@a' } },
  { TableName: 'ranged', KeyConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': '@a' } },
  ...['<', '<=', '=', '>', '>=', '<>'].map(operator => ({
    TableName: 'ranged',
    KeyConditionExpression: `id = :id AND place ${operator} :place`,
    ExpressionAttributeValues: { ':id': '@a', ':place': 2 },
  })),
  {
    TableName: 'ranged',
    KeyConditionExpression: 'place BETWEEN :from AND :to AND (id = :id)',
    ExpressionAttributeValues: { ':id': '@a', ':from': -1, ':to': 2 },
  },
  {
    TableName: 'ranged',
    KeyConditionExpression: 'id = :id AND begins_with(place, :from)',
    ExpressionAttributeValues: { ':id': '@a', ':from': 'a' },
  },
  { TableName: 'ranged', KeyConditionExpression: 'place = :place', ExpressionAttributeValues: { ':place': 1 } },
  { TableName: 'alone', KeyConditionExpression: 'id > :id', ExpressionAttributeValues: { ':id': '@a' } },
  { TableName: 'alone', KeyConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': 1 } },
  {
    TableName: 'alone',
    KeyConditionExpression: 'id = :id OR id = :other',
    ExpressionAttributeValues: { ':id': '@a', ':other': '@b' },
  },
  {
    TableName: 'alone',
    IndexName: 'nowhere',
    KeyConditionExpression: 'listing = :listing',
    ExpressionAttributeValues: { ':listing': '@list' },
  },
  {
    TableName: 'ranged',
    IndexName: 'listing',
    KeyConditionExpression: 'listing = :listing',
    ExpressionAttributeValues: { ':listing': '@list' },
  },
  ...[
    'listing = :listing AND #at < :at',
    'listing = :listing AND #at >= :at',
    'listing = :listing AND begins_with(#at, :at)',
  ].map(KeyConditionExpression => ({
    TableName: 'alone',
    IndexName: 'listing',
    KeyConditionExpression,
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':listing': '@list', ':at': 'ab' },
  })),
  {
    TableName: 'alone',
    IndexName: 'listing',
    KeyConditionExpression: 'listing = :listing AND #at BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':listing': '@list', ':from': 'ab', ':to': '\uffff' },
  },
]

const query = fc
  .tuple(fc.constantFrom(...KEY_CONDITIONS), fc.constantFrom(1, 2, undefined), fc.constantFrom(true, false, undefined))
  .map(
    ([asked, Limit, ScanIndexForward]): Operation => ({
      call: 'query',
      input: compact({ ...asked, Limit, ScanIndexForward }),
    }),
  )

export const anyOperations = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: put },
    { weight: 6, arbitrary: updating },
    { weight: 2, arbitrary: get },
    { weight: 1, arbitrary: batch },
    { weight: 3, arbitrary: query },
    { weight: 5, arbitrary: transaction },
  ),
  { minLength: 8, maxLength: 20, size: 'max' },
)
