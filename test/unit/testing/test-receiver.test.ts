import { describe, expect, it } from 'vitest'
import { ignore } from '../../../functions/domain/event.ts'
import { providers } from '../../../functions/providers/catalogue.ts'
import type { Handler } from '../../../lib/consume.ts'
import { exampleSource } from '../../../lib/sender/example-source.ts'
import { type CrashPoint, testReceiver } from '../../../lib/testing.ts'

const sources = { stripe: { provider: 'stripe' }, github: { provider: 'github' } }
const tables = { effects: { partitionKey: 'key' } }

/** Its effect and `done` are one transaction. */
const commits: Handler = async (event, { commit }) => {
  await commit([{ Put: { TableName: 'effects', Item: { key: event.idempotencyKey } } }])
}

describe('sending', () => {
  const every = Object.values(providers).filter(({ id }) => id !== 'custom' && id !== 'internal')

  it('an event of every provider in the catalogue is signed as its sender would, and done', async () => {
    const all = Object.fromEntries(every.map(provider => [provider.id, exampleSource(provider)]))
    const receiver = await testReceiver({ sources: all, work: () => {} })
    const ends: string[] = []
    for (const { id } of every) {
      const { answer, status } = await receiver.send(id)
      if (answer.status !== 202 || status !== 'done') ends.push(`${id}: ${answer.status} ${status}`)
    }
    expect(ends).toEqual([])
  })

  it('an event of a service of your own is published under its key, by its caller', async () => {
    const internal = { orders: { provider: 'internal', allow: ['arn:aws:iam::000000000000:user/shop'] } }
    const receiver = await testReceiver({ sources: internal, work: () => {} })
    const event = await receiver.send('orders', { type: 'order.created' }, { id: 'o-1', caller: 'shop' })
    expect(event).toMatchObject({ eventId: 'o-1', type: 'order.created', status: 'done', answer: { status: 202 } })
    expect((await receiver.send('orders', {}, { caller: 'somebody' })).answer.status).toBe(403)
  })

  it('what a test says is laid over a sample, and an id and a type in it are those of the event', async () => {
    const bodies: unknown[] = []
    const receiver = await testReceiver({ sources, work: async event => void bodies.push(await event.json()) })
    const event = await receiver.send('stripe', { id: 'evt_mine', type: 'payout.paid', livemode: true })
    expect(event).toMatchObject({ eventId: 'evt_mine', type: 'payout.paid' })
    expect(bodies).toMatchObject([{ id: 'evt_mine', type: 'payout.paid', livemode: true, object: 'event' }])
    expect(await receiver.send('github', {}, { id: 'd-1', type: 'push' })).toMatchObject({
      eventId: 'd-1',
      type: 'push',
    })
  })

  it('text is sent as it is, and refused if its sender would be', async () => {
    const receiver = await testReceiver({ sources, work: () => {} })
    expect(await receiver.send('stripe', 'not JSON')).toMatchObject({ id: null, status: null, answer: { status: 400 } })
  })

  it('an unknown source, table, crash point or service is an error that says what there is', async () => {
    const receiver = await testReceiver({ sources, work: () => {}, tables })
    await expect(receiver.send('strype' as 'stripe')).rejects.toThrow('expected one of stripe, github')
    expect(() => receiver.items('effect')).toThrow('"effect" is not one of your tables: effects')
    expect(() => receiver.crash('somewhere' as CrashPoint)).toThrow('after-claim, after-send')
    expect(() => receiver.outage('dynamo' as 'sqs')).toThrow('dynamodb, sqs, s3, secrets-manager')
  })
})

describe('the calls of the handler', () => {
  it('each call of the handler is noted with how it ended', async () => {
    const ends: Handler[] = [
      () => {
        throw new Error('no')
      },
      () => ignore('not ours'),
    ]
    const receiver = await testReceiver({ sources, work: (...given) => ends.shift()?.(...given) })
    const event = await receiver.send('stripe')
    await receiver.advance('1m')
    expect(event.calls).toMatchObject([
      { attempt: 1, ended: 'threw', error: new Error('no'), generation: 0 },
      { attempt: 2, ended: 'ignored' },
    ])
    await receiver.replay(event)
    expect(receiver.calls.map(({ generation, attempt, ended }) => [generation, attempt, ended])).toEqual([
      [0, 1, 'threw'],
      [0, 2, 'ignored'],
      [1, 1, 'returned'],
    ])
  })
})

describe('a crash', () => {
  const ends = {
    'after-claim': { status: 'claimed', calls: 0, answer: 500 },
    'after-send': { status: 'claimed', calls: 1, answer: 500 },
    'before-handler': { status: 'working', calls: 0, answer: 202 },
    'after-effect': { status: 'done', calls: 1, answer: 202 },
    'after-done': { status: 'done', calls: 1, answer: 202 },
  } as const satisfies Record<CrashPoint, object>

  it.each(Object.entries(ends))(
    'a crash %s leaves the event where it was, and it is finished once',
    async (at, seen) => {
      const receiver = await testReceiver({ sources, work: commits, tables })
      if (at === 'after-send') receiver.hold()
      receiver.crash(at as CrashPoint)
      const event = await receiver.send('github')
      expect(event).toMatchObject({ status: seen.status, answer: { status: seen.answer } })
      await receiver.release()
      expect(event.calls).toHaveLength(seen.calls)
      await receiver.advance('10m')
      expect(event.status).toBe('done')
      expect(receiver.items('effects')).toHaveLength(1)
      expect(receiver.crashes).toEqual([at])
    },
  )

  it('a worker that has died writes nothing any more', async () => {
    const written: unknown[] = []
    const release = Promise.withResolvers<void>()
    const receiver = await testReceiver({
      sources,
      tables,
      work: async (event, tools) => {
        void release.promise.then(async () => written.push(await Promise.race([commits(event, tools), 'nothing'])))
      },
    })
    receiver.crash('after-effect')
    await receiver.send('stripe')
    release.resolve()
    await new Promise(setImmediate)
    expect(written).toEqual(['nothing'])
    expect(receiver.items('effects')).toEqual([])
  })
})

describe('an outage', () => {
  it.each(['dynamodb', 'sqs', 'secrets-manager'] as const)(
    'while %s is away nothing is acknowledged, and after it the same event is done',
    async service => {
      const receiver = await testReceiver({ sources, work: () => {} })
      const end = receiver.outage(service)
      const event = await receiver.send('stripe')
      expect(event.answer.status).toBe(503)
      end()
      end()
      await receiver.advance('1m')
      expect([202, 200]).toContain((await receiver.resend(event)).status)
      expect(event.status).toBe('done')
    },
  )

  it('an outage in the middle of the work is no try of its event', async () => {
    const receiver = await testReceiver({ sources, work: () => {} })
    receiver.hold()
    const event = await receiver.send('stripe')
    const end = receiver.outage('dynamodb')
    await receiver.release()
    await receiver.advance('1d')
    expect(event).toMatchObject({ status: 'queued', attempts: 0 })
    end()
    await receiver.advance('1h')
    expect(event).toMatchObject({ status: 'done', attempts: 1 })
  })
})

describe('the order of messages', () => {
  it('messages that were kept back are handed out in the order that a test wants', async () => {
    const handled: string[] = []
    const receiver = await testReceiver({ sources, work: ({ eventId }) => void handled.push(eventId) })
    receiver.hold()
    const [a, b, c] = [
      await receiver.send('stripe', { id: 'a' }),
      await receiver.send('stripe', { id: 'b' }),
      await receiver.send('stripe', { id: 'c' }),
    ]
    expect(a?.status).toBe('queued')
    await receiver.release([b, c, a])
    expect(handled).toEqual(['b', 'c', 'a'])
  })
})

describe('your own tables', () => {
  it('a table has what a test put into it, under the key that it says', async () => {
    const receiver = await testReceiver({
      sources,
      work: async (_event, { commit }) => {
        await commit([{ Update: { TableName: 'totals', Key: { day: 'mon', hour: 9 }, UpdateExpression: ADD, ...ONE } }])
      },
      tables: {
        totals: {
          partitionKey: 'day',
          sortKey: { name: 'hour', type: 'N' },
          items: [{ day: 'mon', hour: 9, count: 2 }],
        },
      },
    })
    await receiver.send('stripe')
    expect(receiver.items('totals')).toEqual([{ day: 'mon', hour: 9, count: 3 }])
  })
})

const ADD = 'ADD #count :one'
const ONE = { ExpressionAttributeNames: { '#count': 'count' }, ExpressionAttributeValues: { ':one': 1 } }
