import { describe, expect, it } from 'vitest'
import type { Item } from '../../../functions/adapters/wire/dynamo-calls.ts'
import { type MemoryAwsOptions, memoryAws } from '../../../lib/memory-aws/memory-aws.ts'

const TABLES = {
  events: {
    partitionKey: { name: 'id', type: 'S' },
    timeToLive: 'expiresAt',
    indexes: [
      {
        name: 'listing',
        partitionKey: { name: 'day', type: 'S' },
        sortKey: { name: 'at', type: 'S' },
        projection: 'KEYS_ONLY',
      },
    ],
  },
} as const

const world = (options: Partial<MemoryAwsOptions> = {}) => {
  const clock = { now: 0 }
  const engine = memoryAws({ tables: TABLES, now: () => clock.now, ...options })
  const put = (item: Item) => engine.dynamo.putItem({ TableName: 'events', Item: item })
  const get = (id: string) => engine.dynamo.getItem({ TableName: 'events', Key: { id } })
  const listed = (): unknown[] =>
    engine.dynamo
      .query({
        TableName: 'events',
        IndexName: 'listing',
        KeyConditionExpression: '#day = :day',
        ExpressionAttributeNames: { '#day': 'day' },
        ExpressionAttributeValues: { ':day': 'monday' },
      })
      .items.map(({ id, at }) => `${id} ${at}`)
  return { clock, engine, put, get, listed }
}

describe('an index that lags', () => {
  it('a write shows in the table at once and in the index after its lag', () => {
    const { clock, put, get, listed } = world({ indexLag: () => 50 })
    put({ id: 'a', day: 'monday', at: '1' })
    expect(get('a')).toEqual({ id: 'a', day: 'monday', at: '1' })
    expect(listed()).toEqual([])
    clock.now = 49
    expect(listed()).toEqual([])
    clock.now = 50
    expect(listed()).toEqual(['a 1'])
  })

  it('an index that has seen a later write of an item does not go back to an earlier one', () => {
    const lags = [1_000, 5]
    const { clock, put, listed } = world({ indexLag: () => lags.shift() ?? 0 })
    put({ id: 'a', day: 'monday', at: '1' })
    put({ id: 'a', day: 'monday', at: '2' })
    clock.now = 5
    expect(listed()).toEqual(['a 2'])
    clock.now = 1_000
    expect(listed()).toEqual(['a 2'])
  })

  it('an item that loses an attribute of the index leaves it, and one that never had it is not in it', () => {
    const { put, listed } = world()
    put({ id: 'a', day: 'monday', at: '1' })
    put({ id: 'b', day: 'monday' })
    expect(listed()).toEqual(['a 1'])
    put({ id: 'a', day: 'monday' })
    expect(listed()).toEqual([])
  })

  it('a write that changes nothing of what the index keeps is not delayed and asks for no lag', () => {
    let asked = 0
    const { put, listed } = world({ indexLag: () => asked++ })
    put({ id: 'a', day: 'monday', at: '1' })
    put({ id: 'a', day: 'monday', at: '1', status: 'done' })
    expect(listed()).toEqual(['a 1'])
    expect(asked).toBe(1)
  })
})

describe('time to live', () => {
  it('an expired item stays readable and can be updated while nothing deletes it', () => {
    const { clock, engine, put, get } = world()
    put({ id: 'a', expiresAt: 1 })
    clock.now = 10_000_000
    expect(get('a')).toEqual({ id: 'a', expiresAt: 1 })
    const update = { TableName: 'events', Key: { id: 'a' }, UpdateExpression: 'REMOVE expiresAt' }
    expect(engine.dynamo.updateItem(update)).toMatchObject({ kind: 'written' })
  })

  it('an expired item is deleted, from its index too, when the lag after its expiry has passed', () => {
    const { clock, put, get, listed } = world({ ttlLag: () => 500 })
    put({ id: 'a', expiresAt: 1, day: 'monday', at: '1' })
    clock.now = 1_499
    expect(get('a')).toBeDefined()
    clock.now = 1_500
    expect(listed()).toEqual([])
    expect(get('a')).toBeUndefined()
  })

  it('an item whose expiry is moved on is not deleted at the earlier one', () => {
    const { clock, put, get } = world({ ttlLag: () => 0 })
    put({ id: 'a', expiresAt: 1 })
    put({ id: 'a', expiresAt: 9 })
    clock.now = 8_999
    expect(get('a')).toBeDefined()
    clock.now = 9_000
    expect(get('a')).toBeUndefined()
  })
})

describe('a token of a transaction', () => {
  const transaction = (by: number) => ({
    ClientRequestToken: 'token',
    TransactItems: [
      {
        Update: {
          TableName: 'events',
          Key: { id: 'a' },
          UpdateExpression: 'ADD amount :by',
          ExpressionAttributeValues: { ':by': by },
        },
      },
    ],
  })

  it('a token names one set of writes for ten minutes and is free again after them', () => {
    const { clock, engine, get } = world()
    engine.dynamo.transactWriteItems(transaction(1))
    clock.now = 599_999
    expect(engine.dynamo.transactWriteItems(transaction(1))).toEqual({ kind: 'written' })
    expect(get('a')?.amount).toBe(1)
    expect(() => engine.dynamo.transactWriteItems(transaction(2))).toThrow(
      expect.objectContaining({ name: 'IdempotentParameterMismatchException' }),
    )
    clock.now = 600_000
    engine.dynamo.transactWriteItems(transaction(2))
    expect(get('a')?.amount).toBe(3)
  })
})

describe('limits that the embedded engines do not all have', () => {
  it('an item of 400 KB is stored and one of a byte more is refused', () => {
    const { put } = world()
    // Two for the name of the key, one for its value, four for the name of the text.
    const text = 'x'.repeat(400 * 1024 - 7)
    expect(put({ id: 'a', text })).toMatchObject({ kind: 'written' })
    expect(() => put({ id: 'a', text: `${text}x` })).toThrow('Item size')
  })

  it('a page of a query ends with the item that fills a megabyte', () => {
    const tables = { wide: { partitionKey: { name: 'id', type: 'S' }, sortKey: { name: 'at', type: 'N' } } } as const
    const { dynamo } = memoryAws({ tables, now: () => 0 })
    for (const at of [1, 2, 3, 4]) {
      dynamo.putItem({ TableName: 'wide', Item: { id: 'a', at, text: 'x'.repeat(390_000) } })
    }
    const asked = {
      TableName: 'wide',
      KeyConditionExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': 'a' },
    }
    const first = dynamo.query(asked)
    expect(first.items.map(({ at }) => at)).toEqual([1, 2, 3])
    const second = dynamo.query({ ...asked, ExclusiveStartKey: first.lastKey })
    expect(second.items.map(({ at }) => at)).toEqual([4])
    expect(second.lastKey).toBeUndefined()
  })

  it('keys of a batch that are not served come back unprocessed', () => {
    const { engine, put } = world({ batchServes: keys => keys - 1 })
    put({ id: 'a' })
    put({ id: 'b' })
    const get = { TableName: 'events', Keys: [{ id: 'a' }, { id: 'b' }] }
    expect(engine.dynamo.batchGetItem(get)).toEqual({ items: [{ id: 'a' }], unprocessed: [{ id: 'b' }] })
  })

  it('a batch of more than a hundred keys and a transaction of more than a hundred writes are refused', () => {
    const { engine } = world()
    const keys = Array.from({ length: 101 }, (_, place) => ({ id: String(place) }))
    const writes = keys.map(Item => ({ Put: { TableName: 'events', Item } }))
    expect(() => engine.dynamo.batchGetItem({ TableName: 'events', Keys: keys })).toThrow('1 to 100 keys')
    expect(() => engine.dynamo.transactWriteItems({ ClientRequestToken: 'a', TransactItems: writes })).toThrow(
      '1 to 100 writes',
    )
  })
})

describe('what is stored', () => {
  it('a caller can change neither by what it has put nor by what it has got', () => {
    const { put, get } = world()
    const given = { id: 'a', list: [1], bytes: new Uint8Array([1]), set: new Set(['x']) }
    put(given)
    given.list.push(2)
    given.bytes[0] = 9
    given.set.add('y')
    const got = get('a') as typeof given
    got.list.push(3)
    got.bytes[0] = 8
    got.set.add('z')
    expect(get('a')).toEqual({ id: 'a', list: [1], bytes: new Uint8Array([1]), set: new Set(['x']) })
  })

  it('every change of an item is told once it is made, each of a transaction and none of a refused write', () => {
    const told: unknown[] = []
    const { engine, put } = world({ onWrite: (table, before, after) => told.push([table, before?.n, after?.n]) })
    put({ id: 'a', n: 1 })
    engine.dynamo.putItem({
      TableName: 'events',
      Item: { id: 'a', n: 2 },
      ConditionExpression: 'attribute_not_exists(id)',
    })
    engine.dynamo.transactWriteItems({
      ClientRequestToken: 'token',
      TransactItems: [
        { Delete: { TableName: 'events', Key: { id: 'a' } } },
        { Put: { TableName: 'events', Item: { id: 'b', n: 3 } } },
      ],
    })
    expect(told).toEqual([
      ['events', undefined, 1],
      ['events', 1, undefined],
      ['events', undefined, 3],
    ])
  })
})
