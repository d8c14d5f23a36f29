import { CreateQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../../functions/contract/message.ts'
import { BODIES_TABLE, EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { type Millis, millis, type Sha256, seconds } from '../../functions/domain/brands.ts'
import { type Engines, startEngines } from '../../lib/local/engines/start-engines.ts'
import { CLIENTS, clientsFor, freshTable } from '../support/engines.ts'
import { anyFence, anyFingerprint, claimedRecord, NOON } from '../support/events.ts'
import { type Fault, type FaultProxy, faultProxy } from '../support/fault-proxy.ts'
import { RIG_KEY } from '../support/sealed.ts'
import { allStores, type EventStore } from '../support/stores.ts'

/** Shorter than the proxy is slow; long enough for a busy machine. */
const PATIENCE = { connect: 600, answer: 600 }

let engines: Engines
let dynamo: FaultProxy
let sqs: FaultProxy
beforeAll(async () => {
  engines = await startEngines()
  dynamo = await faultProxy(engines.endpoints.dynamodb)
  sqs = await faultProxy(engines.endpoints.sqs)
})
afterAll(async () => {
  await Promise.all([dynamo.stop(), sqs.stop()])
  await engines.stop()
})
afterEach(() => {
  for (const proxy of [dynamo, sqs]) {
    proxy.plan()
    proxy.setAhead(0)
    proxy.seen.length = 0
  }
})

/** Each of them is over after one attempt: the client's own second attempt meets a service that is well. */
const PASSING: readonly Fault[] = [
  'reset-before',
  'reset-after',
  'truncated',
  'slow',
  'throttled',
  'internal-error',
  'unavailable',
]
/** After these, nobody knows whether the write was applied. */
const LASTING = PASSING.map(fault => [fault, fault, fault] as const)

const settlement = (now: Millis) => ({
  now,
  expiresAt: seconds(now / 1000 + 86_400),
  bodySha256: 'b'.repeat(64) as Sha256,
  bodySize: 7,
  bodyAt: null,
})

describe.each(Object.entries(CLIENTS))('behind a bad network, the %s client', (name, callsOf) => {
  const calls = () => callsOf({ dynamodb: dynamo.endpoint, sqs: sqs.endpoint }, { patience: PATIENCE })
  const events = async (): Promise<EventStore> =>
    allStores(calls(), { eventsTable: await freshTable(engines.endpoints.dynamodb, EVENTS_TABLE) }).events

  describe('claims', () => {
    it.each(PASSING)('a claim is made once, after one attempt that was %s', async fault => {
      const store = await events()
      const record = claimedRecord()
      dynamo.plan(fault)
      expect(await store.claim(record)).toEqual({ kind: 'won', record })
      expect(dynamo.seen).toEqual(['PutItem', 'PutItem'])
      expect(await store.read(record.fingerprint, NOON)).toEqual(record)
    })

    it.each(LASTING)('a claim is unknown after three attempts that were %s', async (...faults) => {
      const store = await events()
      dynamo.plan(...faults)
      expect((await store.claim(claimedRecord())).kind).toBe('unavailable')
      expect(dynamo.seen).toHaveLength(3)
    })

    it.each(PASSING)('a guarded claim is made once, after one attempt that was %s', async fault => {
      const store = await events()
      const record = claimedRecord(NOON, { guard: anyFingerprint() })
      dynamo.plan(fault)
      expect(await store.claim(record)).toEqual({ kind: 'won', record })
    })

    it('a claim that is lost learns the record of the owner in spite of a broken answer', async () => {
      const store = await events()
      const winner = claimedRecord()
      await store.claim(winner)
      for (const fault of PASSING) {
        dynamo.plan(fault)
        expect(await store.claim({ ...winner, fence: anyFence() })).toEqual({ kind: 'lost', existing: winner })
      }
    })
  })

  it.each(PASSING)('settling after one attempt that was %s is not superseded by itself', async fault => {
    const store = await events()
    const record = claimedRecord()
    await store.claim(record)
    dynamo.plan(fault)
    expect(await store.settle(record, settlement(millis(NOON + 5)))).toEqual({ kind: 'moved' })
    expect(await store.read(record.fingerprint, NOON)).toMatchObject({ status: 'queued' })
  })

  it.each(PASSING)('a takeover is made once, after one attempt that was %s', async fault => {
    const store = await events()
    const record = claimedRecord()
    await store.claim(record)
    const now = millis(record.leaseUntil)
    dynamo.plan(fault)
    const fence = anyFence()
    const answer = await store.takeOver(record, { fence, now, leaseUntil: millis(now + 15_000) })
    expect(answer).toMatchObject({ kind: 'owned', record: { fence } })
  })

  describe('on a clock that is wrong', () => {
    it.each([3_600_000, -3_600_000])('a clock that is wrong by %d ms is set right by a refusal', async ahead => {
      const store = await events()
      dynamo.setAhead(ahead)
      const record = claimedRecord()
      expect(await store.claim(record)).toEqual({ kind: 'won', record })
      expect(dynamo.seen).toEqual(['PutItem', 'PutItem'])
      dynamo.seen.length = 0
      expect((await store.settle(record, settlement(NOON))).kind).toBe('moved')
      expect(dynamo.seen).toEqual(['UpdateItem'])
    })
  })

  it('a kept connection that the service has closed is replaced', async () => {
    const store = await events()
    await store.claim(claimedRecord())
    dynamo.plan('stale')
    const record = claimedRecord()
    expect(await store.claim(record)).toEqual({ kind: 'won', record })
  })

  describe('sends', () => {
    const MESSAGE = {
      version: 1,
      id: 'f'.repeat(64),
      source: 'stripe',
      correlationId: 'request-1',
      ordering: null,
      body: {},
    }
    const open = async (queueName: string) => {
      const client = clientsFor(engines.endpoints).sqs
      await client.send(new CreateQueueCommand({ QueueName: queueName }))
      const QueueUrl = `${engines.endpoints.sqs}/000000000000/${queueName}`
      return {
        queue: allStores(calls(), { queueUrl: QueueUrl }).queue,
        count: async () => {
          const { Messages = [] } = await client.send(
            new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
          )
          return Messages.length
        },
      }
    }

    it.each(PASSING)('a message is sent at least once, after one attempt that was %s', async fault => {
      const { queue, count } = await open(`${name}-${fault}`)
      sqs.plan(fault)
      expect(await queue.send(MESSAGE as unknown as Message, {}, RIG_KEY)).toEqual({ kind: 'sent' })
      expect(await count()).toBeGreaterThanOrEqual(1)
    })

    it.each(LASTING)('a send is unknown after three attempts that were %s', async (...faults) => {
      const { queue } = await open(`${name}-lasting`)
      sqs.plan(...faults)
      expect((await queue.send(MESSAGE as unknown as Message, {}, RIG_KEY)).kind).toBe('unavailable')
    })

    it('a send is refused for certain if the first answer says that there is no such queue', async () => {
      const queue = allStores(calls(), { queueUrl: `${engines.endpoints.sqs}/000000000000/absent` }).queue
      expect((await queue.send(MESSAGE as unknown as Message, {}, RIG_KEY)).kind).toBe('refused')
      sqs.plan('reset-after')
      expect((await queue.send(MESSAGE as unknown as Message, {}, RIG_KEY)).kind).toBe('unavailable')
    })
  })

  it.each(PASSING)('a body is kept once, after one attempt that was %s', async fault => {
    const table = await freshTable(engines.endpoints.dynamodb, BODIES_TABLE)
    const { bodies } = allStores(calls(), { bodiesTable: table, bodiesBucket: 'none' })
    const { fingerprint } = claimedRecord()
    const bytes = Buffer.from('{}')
    const sha256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a' as Sha256
    const body = { fingerprint, sha256, bytes, eventId: 'evt_1', headers: {}, ordering: null }
    dynamo.plan(fault)
    expect(await bodies.keep(body, NOON, seconds(NOON / 1000 + 60))).toEqual({ kind: 'kept', at: 'dynamodb' })
    expect(await bodies.fetch(fingerprint, sha256, 'dynamodb', NOON)).toMatchObject({ eventId: 'evt_1', bytes })
  })
})
