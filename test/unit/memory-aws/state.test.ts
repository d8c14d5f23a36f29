import { describe, expect, it } from 'vitest'
import { HOOKLATCH_RESOURCES, MEMORY_NAMES } from '../../../lib/memory-aws/hooklatch-resources.ts'
import { type MemoryAws, memoryAws } from '../../../lib/memory-aws/memory-aws.ts'

const { eventsTable, queueUrl, bodiesBucket } = MEMORY_NAMES
const SECRETS = { signing: 'first' }

const fresh = (now = () => 0): MemoryAws => memoryAws({ ...HOOKLATCH_RESOURCES, secrets: SECRETS, now, newId: named() })

/** Named by their kind alone where only one is made, so that two engines make the same. */
const named = () => {
  const counts = new Map<string, number>()
  return (kind: string): string => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return `${kind}-${count}`
  }
}

const put = (engine: MemoryAws, fingerprint: string): unknown =>
  engine.dynamo.putItem({
    TableName: eventsTable,
    Item: { fingerprint, listing: 'day', claimedAt: fingerprint, at: new Uint8Array([1]) },
  })
const send = (engine: MemoryAws, body: string): unknown =>
  engine.queue.sendMessage({ QueueUrl: queueUrl, MessageBody: body, MessageAttributes: {} })
const keep = (engine: MemoryAws): unknown =>
  engine.objects.putNew(bodiesBucket, 'key', { bytes: new Uint8Array([1]), metadata: {} })
const transact = (engine: MemoryAws): unknown =>
  engine.dynamo.transactWriteItems({
    ClientRequestToken: 'token',
    TransactItems: [{ Put: { TableName: eventsTable, Item: { fingerprint: 'z' } } }],
  })

/** One change in every part of it. */
const CHANGES: Readonly<Record<string, (engine: MemoryAws) => unknown>> = {
  'an item': engine => put(engine, 'a'),
  'a token': transact,
  'a message': engine => send(engine, 'text'),
  'an object': keep,
  'a secret': engine => void engine.secrets.putPendingSecret('signing', 'second'),
}

describe('the state of a memory AWS', () => {
  it.each(Object.entries(CHANGES))(
    '%s that is written after a snapshot is gone when the snapshot is restored',
    (_what, change) => {
      const engine = fresh()
      const [before, key] = [engine.snapshot(), engine.stateKey()]
      change(engine)
      expect(engine.stateKey()).not.toBe(key)
      engine.restore(before)
      expect(engine.stateKey()).toBe(key)
      expect(engine.items(eventsTable)).toEqual([])
      expect(engine.messages(queueUrl)).toEqual([])
      expect(engine.objects.get(bodiesBucket, 'key')).toBeUndefined()
      expect(engine.secrets.getSecret('signing')?.text).toBe('first')
    },
  )

  it('a snapshot can be restored again and again, whatever happened after it', () => {
    const engine = fresh()
    for (const change of Object.values(CHANGES)) change(engine)
    const [snapshot, key] = [engine.snapshot(), engine.stateKey()]
    for (const text of ['one', 'two']) {
      put(engine, text)
      send(engine, text)
      engine.queue.receiveMessages(queueUrl)
      engine.restore(snapshot)
      expect(engine.stateKey()).toBe(key)
    }
  })

  it('a restored index answers queries as before', () => {
    const engine = fresh()
    put(engine, 'a')
    const snapshot = engine.snapshot()
    put(engine, 'b')
    engine.restore(snapshot)
    const listed = engine.dynamo.query({
      TableName: eventsTable,
      IndexName: 'listing',
      KeyConditionExpression: 'listing = :listing',
      ExpressionAttributeValues: { ':listing': 'day' },
    })
    expect(listed.items).toEqual([{ fingerprint: 'a', listing: 'day', claimedAt: 'a' }])
  })

  it('two engines that got the same items in another order are in the same state', () => {
    const [one, other] = [fresh(), fresh()]
    put(one, 'a')
    put(one, 'b')
    put(other, 'b')
    put(other, 'a')
    expect(one.stateKey()).toBe(other.stateKey())
  })

  it('a message that was received is another state than one that was not', () => {
    const engine = fresh()
    send(engine, 'text')
    const key = engine.stateKey()
    const [message] = engine.queue.receiveMessages(queueUrl)
    expect(engine.stateKey()).not.toBe(key)
    engine.queue.deleteMessages(queueUrl, [message?.receipt ?? ''])
    expect(engine.stateKey()).toBe(fresh().stateKey())
  })

  it('a call of the wire has changed the state when it returns, before its promise is answered', async () => {
    const engine = fresh()
    const answer = engine.aws.dynamo.putItem({ TableName: eventsTable, Item: { fingerprint: 'a' } })
    expect(engine.items(eventsTable)).toEqual([{ fingerprint: 'a' }])
    expect(await answer).toEqual({ kind: 'written', item: undefined })
  })

  it('what the engine throws at once, the wire answers as a rejected promise', async () => {
    const { aws, dynamo } = fresh()
    const get = { TableName: 'nowhere', Key: { fingerprint: 'a' } }
    expect(() => dynamo.getItem(get)).toThrow('non-existent table')
    await expect(aws.dynamo.getItem(get)).rejects.toThrow('non-existent table')
  })
})
