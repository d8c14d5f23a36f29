import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import type { Handler } from '../../functions/consume/handle.ts'
import { type Fingerprint, millis } from '../../functions/domain/brands.ts'
import { Unprocessable } from '../../functions/domain/event.ts'
import { replay } from '../../functions/operate/replay.ts'
import { replayMany } from '../../functions/operate/replay-many.ts'
import { startJob } from '../../functions/operate/start-job.ts'
import { NOON } from '../support/events.ts'
import { EFFECTS, RIG_NAMES } from '../support/memory-rig.ts'
import { publishRig } from '../support/publish-rig.ts'
import { GITHUB_SECRET, receiveRig } from '../support/receive-rig.ts'
import { wholeRig } from '../support/whole-rig.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Settings = { readonly retain?: 'none' | '1d'; readonly guard?: 'body' }

const github = (settings: Settings = {}) => {
  const at = wholeRig({ sources: { github: { provider: 'github', ...settings } } })
  const { send } = at.world.queue
  const post = (id: string, body = `{"id":"${id}"}`) =>
    at.post({
      source: 'github',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${createHmac('sha256', GITHUB_SECRET).update(body).digest('hex')}`,
      },
    })
  const recordOf = (id: string) => at.records.values().find(({ eventId }) => eventId === id)
  return {
    ...at,
    post,
    sqsLeaves: () => Object.assign(at.world.queue, { send: () => Promise.reject(new Error('away')) }),
    sqsReturns: () => Object.assign(at.world.queue, { send }),
    recordOf,
    recoverFor: async (minutes: number, step = 1) => {
      for (let minute = 0; minute < minutes; minute += step) {
        at.advance(step * MINUTE)
        await at.recover()
      }
    },
  }
}

const act = { actor: 'ada', reason: 'r', job: null }

describe('a claim that nobody could forward', () => {
  it.each(['none', '1d'] as const)('a day without SQS loses no claimed delivery, retain: %s', async retain => {
    const at = github({ retain })
    at.sqsLeaves()
    expect((await at.post('d-1')).status).toBe(503)
    await at.recoverFor(24 * 60, 10)
    at.sqsReturns()
    await at.recoverFor(120)
    expect(at.texts()).toHaveLength(1)
  })

  it('recovery that runs for the first time two days later finishes what was claimed', async () => {
    const at = github()
    at.sqsLeaves()
    await at.post('d-1')
    at.sqsReturns()
    at.advance(2 * DAY)
    await at.recoverFor(5)
    expect(at.texts()).toHaveLength(1)
  })

  it('a guard lives as long as its record, also if recovery had to finish the claim', async () => {
    const at = github({ guard: 'body' })
    at.sqsLeaves()
    await at.post('d-1', '{"zen":1}')
    at.advance(6 * HOUR)
    at.sqsReturns()
    await at.recoverFor(10)
    await at.deliver(() => {}, at.texts())
    at.advance((at.recordOf('d-1')?.expiresAt ?? 0) * 1000 - at.world.now() - HOUR)
    expect((await at.post('d-2', '{"zen":1}')).status).toBe(200)
  })

  it('two guarded claims that cancel each other leave one owner', async () => {
    const at = github({ guard: 'body' })
    const { dynamo } = at.memory.aws
    let met = 0
    const conflicting: typeof dynamo = {
      ...dynamo,
      transactWriteItems: async call =>
        met++ < 2
          ? {
              kind: 'cancelled',
              reasons: ['None', 'TransactionConflict'].map(code => ({ code, item: undefined })),
              error: new Error('met'),
            }
          : dynamo.transactWriteItems(call),
    }
    const stores = storesOver({ ...at.memory.aws, dynamo: conflicting }, RIG_NAMES, EVERY_STORE, at.world.now)
    Object.assign(at.world, { claims: stores.claims })
    const answers = await Promise.all([at.post('d-1', '{"zen":1}'), at.post('d-2', '{"zen":1}')])
    expect(answers.map(({ status }) => status).filter(status => status === 202)).toHaveLength(1)
    expect(at.texts()).toHaveLength(1)
  })

  it('a captured token does not finish it with another body', async () => {
    const secret = 'local-secret-0123456789abcdef'
    const seconds = String(NOON / 1000)
    const signature = createHmac('sha256', secret).update(`${seconds}t1`).digest('hex')
    const body = (event: string) =>
      JSON.stringify({ signature: { timestamp: seconds, token: 't1', signature }, 'event-data': { id: 'a', event } })
    const at = receiveRig({ sources: { acme: { provider: 'mailgun' } }, secrets: { acme: [secret] } })
    const { send } = at.world.queue
    Object.assign(at.world.queue, { send: async () => ({ kind: 'refused', cause: 'throttled' }) })
    expect((await at.post({ source: 'acme', body: body('delivered') })).status).toBe(503)
    Object.assign(at.world.queue, { send })
    expect((await at.post({ source: 'acme', body: body('unsubscribed') })).status).toBe(409)
    expect((await at.post({ source: 'acme', body: body('delivered') })).status).toBe(202)
    expect(at.messages().map(({ type }) => type)).toEqual(['delivered'])
  })
})

describe('bodies that cannot be read', () => {
  it('two of them that were set aside do not hold up recovery a second time', async () => {
    const at = github()
    at.sqsLeaves()
    await at.post('bad-1')
    await at.post('bad-2')
    at.sqsReturns()
    const bad = new Set([at.recordOf('bad-1')?.fingerprint, at.recordOf('bad-2')?.fingerprint])
    const { fetch } = at.world.keptBodies
    Object.assign(at.world.keptBodies, {
      fetch: async (...asked: Parameters<typeof fetch>) => {
        if (bad.has(asked[0])) throw new Error('denied')
        return fetch(...asked)
      },
    })
    await at.recoverFor(85)
    at.sqsLeaves()
    await at.post('good')
    at.sqsReturns()
    await at.recoverFor(10)
    expect(at.messages().map(({ eventId }) => eventId)).toEqual(['good'])
  })

  it('one of them does not hold up a bulk redrive', async () => {
    const at = wholeRig()
    for (let n = 0; n < 5; n++) {
      await at.stripe({ id: `evt_${n}` })
      at.advance(1_000)
    }
    await at.deliver(() => {
      throw new Unprocessable('broken')
    }, at.texts())
    at.advance(MINUTE)
    const bad = at.records.values().find(({ eventId }) => eventId === 'evt_2')?.fingerprint
    const { fetch } = at.world.keptBodies
    const keptBodies = {
      ...at.world.keptBodies,
      fetch: async (...asked: Parameters<typeof fetch>) => {
        if (asked[0] === bad) throw new Error('the key is disabled')
        return fetch(...asked)
      },
    }
    const world = { ...at.world, keptBodies, actor: 'ada' }
    const now = at.world.now()
    const filter = { from: millis(now - HOUR), until: now, status: 'failed' } as const
    const job = await startJob(world, { filter, reason: 'r', expected: 5, rate: 1_000 })
    const ended = await replayMany(world, job.id)
    expect(ended).toMatchObject({ kind: 'finished', job: { replayed: 4, refused: { unreadable: 1 } } })
  })
})

describe('an operator', () => {
  it('a bulk replay that is resumed on a clock five seconds behind replays each event once', async () => {
    const at = wholeRig()
    for (let n = 0; n < 20; n++) {
      await at.stripe({ id: `evt_${n}` })
      at.advance(20)
    }
    await at.deliver(() => {}, at.texts())
    at.advance(1_000)
    const now = at.world.now()
    const filter = { from: millis(now - HOUR), until: millis(now + 1) }
    const job = await startJob({ ...at.world, actor: 'ada' }, { filter, reason: 'r', expected: 20, rate: 1_000 })
    const behind = { ...at.world, actor: 'bob', now: () => millis(at.world.now() - 5_000) }
    const { send } = at.world.queue
    const queue = {
      ...behind.queue,
      send: async (...sent: Parameters<typeof send>) => {
        const answer = await send(...sent)
        await at.deliver(() => {}, at.texts().slice(-1))
        return answer
      },
    }
    await replayMany({ ...behind, queue }, job.id)
    await replayMany({ ...behind, queue }, job.id)
    expect(new Set(at.records.values().map(({ generation }) => generation))).toEqual(new Set([1]))
  })

  it.each([
    ['small', 10],
    ['large', 20_000],
  ])('the %s body of a failed event is there for 14 days, redriven or not', async (_size, bytes) => {
    const at = wholeRig({ sources: { stripe: { provider: 'stripe', retain: '7d' } } })
    await at.stripe({ id: 'evt_1', data: randomBytes(bytes).toString('base64') })
    await at.deliver(() => {
      throw new Unprocessable('no')
    }, at.texts())
    const id = at.records.values()[0]?.fingerprint as Fingerprint
    at.advance(DAY)
    await replay(at.world, { id, ...act })
    await at.deliver(() => {}, at.texts().slice(-1))
    at.advance(9 * DAY)
    expect((await replay(at.world, { id, ...act })).kind).toBe('replayed')
  })
})

describe('a batch of ordered events', () => {
  const events = Array.from({ length: 25 }, (_, n) => ({ key: `k-${n}`, event: { type: 'moved', orderId: 'o-1', n } }))
  const ordering = { key: 'orderId', version: 'n' }

  const rig = (before: (nth: number) => Promise<void>) => {
    const at = publishRig({ sources: { orders: { provider: 'internal', allow: '*', ordering } } })
    let nth = 0
    const { queue: real } = at.memory.aws
    const queue: typeof real = {
      ...real,
      sendMessageBatch: async (...sent) => {
        await before(nth++)
        return real.sendMessageBatch(...sent)
      },
    }
    const stores = storesOver({ ...at.memory.aws, queue }, RIG_NAMES, EVERY_STORE, at.world.now)
    Object.assign(at.world, { queue: stores.queue })
    return {
      ...at,
      publishAll: () => at.publish({ batch: true, key: null, body: JSON.stringify({ events }) }),
      order: () =>
        at.memory.engine
          .messages(RIG_NAMES.orderedQueueUrl)
          .map(({ body }) => Number(JSON.parse(body).ordering.version)),
    }
  }
  const inOrder = events.map((_, n) => n)

  it('stands in its group in its order, though one call is slower than the next', async () => {
    const at = rig(nth => new Promise(resolve => setTimeout(resolve, nth === 0 ? 30 : 0)))
    await at.publishAll()
    expect(at.order()).toEqual(inOrder)
  })

  it('none of its events overtakes one that was not sent', async () => {
    const at = rig(async nth => {
      if (nth === 0) throw new Error('no answer')
    })
    await at.publishAll()
    expect(at.order()).toEqual([])
    at.advance(20_000)
    await at.publishAll()
    expect(at.order()).toEqual(inOrder)
  })
})

describe('the consumer', () => {
  it('an event is handled whatever its type is made of', async () => {
    const at = wholeRig()
    const raw = `{"id":"evt_1","type":"${'\\ud800'.repeat(30)}"}`
    expect((await at.stripe({}, { raw })).status).toBe(202)
    let calls = 0
    await at.deliver(() => void calls++, at.texts())
    expect(calls).toBe(1)
    expect(at.records.values()[0]?.type).toBe('\ufffd'.repeat(26))
  })

  it('a commit that the handler does not wait for is written before its event is done', async () => {
    const at = wholeRig()
    await at.stripe({ id: 'evt_1' })
    const { dynamo } = at.memory.aws
    const slow: typeof dynamo = {
      ...dynamo,
      transactWriteItems: async call => {
        await new Promise(resolve => setTimeout(resolve, 20))
        return dynamo.transactWriteItems(call)
      },
    }
    const stores = storesOver({ ...at.memory.aws, dynamo: slow }, RIG_NAMES, EVERY_STORE, at.world.now)
    const world = { ...at.world, ...stores }
    const forgets: Handler = (event, { commit }) => {
      void commit([{ Put: { TableName: EFFECTS, Item: { key: event.idempotencyKey } } }])
    }
    await at.deliver(forgets, at.texts(), { world })
    expect([at.records.values()[0]?.status, at.memory.effects().length]).toEqual(['done', 1])
  })

  it.each([
    [
      'its earlier generation',
      async (at: ReturnType<typeof wholeRig>) => {
        await at.stripe({ id: 'evt_1' })
        await at.deliver(() => {
          throw new Unprocessable('no such customer')
        }, at.texts())
      },
    ],
    [
      'its receiver',
      async (at: ReturnType<typeof wholeRig>) => {
        const { send } = at.world.queue
        Object.assign(at.world.queue, { send: async () => ({ kind: 'refused', cause: 'OverLimit: throttled' }) })
        await at.stripe({ id: 'evt_1' })
        Object.assign(at.world.queue, { send })
      },
    ],
  ])('an event whose tries all crash does not say the error of %s', async (_whose, before) => {
    const at = wholeRig()
    await before(at)
    await at.stripe({ id: 'evt_1' })
    const [record] = at.records.values()
    if (!record) throw new Error('there is no record')
    at.records.set({ ...record, status: 'working', attempts: 2, leaseUntil: at.world.now() })
    await at.deliver(() => {}, at.texts().slice(-1), { tries: 2 })
    expect(at.records.values()[0]?.lastError).toContain('Crashed')
  })
})
