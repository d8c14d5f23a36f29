import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { type DynamoEngine, startDynamo } from '../../lib/local/engines/start-dynamo.ts'
import { CLIENTS, freshTable, sdkCalls } from '../support/engines.ts'
import { type FaultProxy, faultProxy } from '../support/fault-proxy.ts'
import { receiveRig } from '../support/receive-rig.ts'
import { allStores } from '../support/stores.ts'

let engine: DynamoEngine
let proxy: FaultProxy
beforeAll(async () => {
  engine = await startDynamo('dynoxide')
  proxy = await faultProxy(engine.endpoint)
})
afterAll(async () => {
  await proxy.stop()
  await engine.stop()
})

describe.each(Object.entries(CLIENTS))('by the %s client,', (_name, callsOf) => {
  /** Lets requests through and loses their answers, as a broken connection does: the client repeats the call by itself. */
  const lossyBench = async (lose: Readonly<Record<string, number>>) => {
    const table = await freshTable(engine.endpoint, EVENTS_TABLE)
    const names = { eventsTable: table }
    const { claims, events } = allStores(callsOf({ dynamodb: proxy.endpoint }), names).parts
    const { records } = allStores(sdkCalls({ dynamodb: engine.endpoint }), names).parts
    proxy.seen.length = 0
    for (const operation of ['PutItem', 'UpdateItem']) {
      proxy.planFor(
        operation,
        Array.from({ length: lose[operation] ?? 0 }, () => 'reset-after' as const),
      )
    }
    return { ...receiveRig({ world: { claims, events, records } }), seen: proxy.seen }
  }

  describe('an answer that is lost between DynamoDB and the receiver', () => {
    it('a lost answer of the claim gives one 202 and one message: the client repeats the write and the receiver knows its own fence', async () => {
      const { stripe, messages, seen } = await lossyBench({ PutItem: 1 })
      expect((await stripe({ id: 'evt_1' })).status).toBe(202)
      expect(seen).toEqual(['PutItem', 'PutItem', 'UpdateItem'])
      expect(messages()).toHaveLength(1)
      expect((await stripe({ id: 'evt_1' })).status).toBe(200)
    })

    it('a lost answer of the settling still gives a 202, and is not counted as superseded', async () => {
      const { stripe, lines } = await lossyBench({ UpdateItem: 1 })
      expect((await stripe({ id: 'evt_1' })).status).toBe(202)
      expect(JSON.parse(lines[0] ?? '')).not.toHaveProperty('Superseded')
    })

    it('a claim whose every answer is lost gives 503, and the next delivery after the lease takes it over', async () => {
      const { stripe, messages, advance } = await lossyBench({ PutItem: 3 })
      expect((await stripe({ id: 'evt_1' })).status).toBe(503)
      expect((await stripe({ id: 'evt_1' })).status).toBe(409)
      advance(15_000)
      expect((await stripe({ id: 'evt_1' })).status).toBe(202)
      expect(messages()).toHaveLength(1)
    })

    it('a takeover whose answer is lost is counted once', async () => {
      const { stripe, messages, advance, world } = await lossyBench({ PutItem: 3, UpdateItem: 1 })
      await stripe({ id: 'evt_1' })
      advance(15_000)
      const answer = await stripe({ id: 'evt_1' })
      expect(answer.status).toBe(202)
      expect(messages()).toHaveLength(1)
      const { records } = await world.records.list({ limit: 10, now: world.now(), from: world.now() })
      expect(records).toMatchObject([{ fingerprint: answer.body.id, attempts: 0, status: 'queued' }])
    })
  })

  describe('on a real engine', () => {
    it('a sequential repeat costs exactly one DynamoDB call', async () => {
      const { stripe, seen } = await lossyBench({})
      await stripe({ id: 'evt_1' })
      seen.length = 0
      expect((await stripe({ id: 'evt_1' })).status).toBe(200)
      expect(seen).toEqual(['PutItem'])
    })

    it('fifty deliveries of one event at the same instant give one 202, the rest 200 or 409, and one message', async () => {
      const { stripe, messages } = await lossyBench({})
      const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await stripe({ id: 'evt_1' })).status))
      expect(statuses.filter(status => status === 202)).toHaveLength(1)
      expect(statuses.filter(status => status === 200 || status === 409)).toHaveLength(49)
      expect(messages()).toHaveLength(1)
    })
  })
})
