import { describe, expect, it } from 'vitest'
import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import type { ReceivedMessage } from '../../functions/adapters/wire/queue-calls.ts'
import { batch, toItem } from '../../functions/consume/batch.ts'
import type { WebhookEvent } from '../../functions/domain/event.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { sqsEvent } from '../../lib/local/sqs-event.ts'
import { RIG_NAMES } from '../support/memory-rig.ts'
import { wholeRig } from '../support/whole-rig.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const STEP = 30 * SECOND

const turn = () => new Promise<void>(resolve => setImmediate(resolve))
const never = new Promise<never>(() => {})

interface Call {
  readonly eventId: string
  readonly at: number
  /** Handlers at work when it began. */
  readonly beside: readonly string[]
}

/** A worker whose process ends, and with it all that it is at, when its handler is called with certain events. */
const running = (takesDown: (event: WebhookEvent) => boolean, sources?: Sources) => {
  const at = wholeRig(sources && { sources })
  const calls: Call[] = []
  const reads: unknown[] = []

  /** What SQS may delete; nothing if the process died. */
  const invoke = async (messages: readonly ReceivedMessage[]): Promise<readonly ReceivedMessage[]> => {
    const died = Promise.withResolvers<'died'>()
    const working = new Set<string>()
    let dead = false
    const onWire = <Calls extends object>(wire: Calls): Calls =>
      new Proxy(wire, {
        get:
          (target, name) =>
          async (...given: unknown[]) => {
            if (dead) return never
            if (name === 'getItem') reads.push(given)
            const answer = await (Reflect.get(target, name) as (...all: unknown[]) => Promise<unknown>)(...given)
            await turn()
            return dead ? never : answer
          },
      })
    const { dynamo, queue } = at.memory.aws
    const aws = { ...at.memory.aws, dynamo: onWire(dynamo), queue: onWire(queue) }
    const world = { ...at.world, ...storesOver(aws, RIG_NAMES, EVERY_STORE, at.world.now) }
    const handler = async (event: WebhookEvent): Promise<void> => {
      if (dead) return never
      calls.push({ eventId: event.eventId, at: at.world.now(), beside: [...working] })
      working.add(event.eventId)
      if (takesDown(event)) {
        dead = true
        died.resolve('died')
      }
      for (let turns = 0; turns < 3; turns++) await turn()
      if (dead) return never
      working.delete(event.eventId)
    }
    const items = sqsEvent(messages, 'arn').Records.map(toItem)
    const bounds = { remaining: () => 5 * SECOND, after: () => () => {} }
    const ended = await Promise.race([batch(world, handler, items, bounds, () => {}), died.promise])
    return ended === 'died' ? [] : messages.filter(({ messageId }) => !ended.failed.includes(messageId))
  }

  const poll = async (url: string): Promise<void> => {
    const { queue } = at.memory.aws
    const messages = await queue.receiveMessages(url, { waitSeconds: 0 })
    const over = messages.length > 0 ? await invoke(messages) : []
    if (over.length > 0)
      await queue.deleteMessages(
        url,
        over.map(({ receipt }) => receipt),
      )
  }

  return {
    ...at,
    calls,
    reads,
    run: async (time: number): Promise<void> => {
      for (let passed = 0; passed < time; passed += STEP) {
        at.advance(STEP)
        for (const url of [RIG_NAMES.queueUrl, RIG_NAMES.orderedQueueUrl]) await poll(url)
      }
    },
    record: (eventId: string) => at.records.values().find(record => record.eventId === eventId),
    callsOf: (eventId: string): Call[] => calls.filter(call => call.eventId === eventId),
  }
}

const waitsBetween = (calls: readonly Call[]): number[] =>
  calls.slice(1).map(({ at }, index) => (at - (calls[index]?.at ?? 0)) / SECOND)

const isPoison = ({ eventId }: WebhookEvent): boolean => eventId === 'poison'

const ORDERED: Sources = { stripe: { provider: 'stripe', ordering: { key: 'customer' } } }

describe('an event that takes its process down', () => {
  it.each([0, 4, 9])('costs each of the nine beside it one try, once (it comes after %d of them)', async place => {
    const at = running(isPoison)
    for (let n = 0; n < 10; n++) await at.stripe({ id: n === place ? 'poison' : `evt_${n}` })
    await at.run(2 * HOUR)
    const others = at.records.values().filter(({ eventId }) => eventId !== 'poison')
    expect(others.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 'done'))
    expect(Math.max(...others.map(({ attempts }) => attempts))).toBeLessThanOrEqual(2)
  })

  it('is called with nothing beside it from then on, after the others of its batch', async () => {
    const at = running(isPoison)
    await at.stripe({ id: 'poison' })
    await at.stripe({ id: 'evt_1' })
    await at.run(STEP)
    for (let n = 2; n < 6; n++) await at.stripe({ id: `evt_${n}` })
    await at.run(STEP)
    const again = at.calls.filter(call => call.at === at.world.now())
    expect(again.map(({ eventId }) => eventId).slice(0, 4)).toEqual(['evt_2', 'evt_3', 'evt_4', 'evt_5'])
    expect(again.slice(4).map(({ beside }) => beside)).toEqual(again.slice(4).map(() => []))
    expect(at.callsOf('poison')).toHaveLength(2)
  })

  it('waits as long as one that throws, and fails with its body kept after sixteen tries and 28 hours', async () => {
    const at = running(isPoison)
    await at.stripe({ id: 'poison' })
    await at.run(30 * HOUR)
    const waits = waitsBetween(at.callsOf('poison'))
    expect(waits.slice(0, 9)).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680])
    expect(waits.slice(9)).toEqual(Array.from({ length: 6 }, () => 14_400))
    expect(at.record('poison')).toMatchObject({
      status: 'failed',
      attempts: 16,
      lastError: 'Crashed: none of 16 tries came back',
      bodyAt: 'dynamodb',
    })
  })

  it('is done if the release that crashed is rolled back after ten minutes', async () => {
    let broken = true
    const at = running(() => broken)
    await at.stripe({ id: 'evt_1' })
    await at.run(10 * MINUTE)
    broken = false
    await at.run(HOUR)
    expect(at.record('evt_1')).toMatchObject({ status: 'done' })
  })

  it('holds up its own group of a FIFO queue, in order and 15 minutes at most, and no other group', async () => {
    const at = running(isPoison, ORDERED)
    await at.stripe({ id: 'poison', customer: 'a' })
    await at.stripe({ id: 'after', customer: 'a' })
    for (const id of ['other_1', 'other_2']) await at.stripe({ id, customer: 'b' })
    await at.run(10 * MINUTE)
    expect(at.record('after')).toMatchObject({ status: 'queued', attempts: 0 })
    expect(at.record('other_2')).toMatchObject({ status: 'done' })
    await at.run(HOUR)
    expect(waitsBetween(at.callsOf('poison'))).toEqual([30, 60, 120, 240, 480, 900, 900])
    expect(at.record('poison')).toMatchObject({ status: 'failed', attempts: 8 })
    expect(at.record('after')).toMatchObject({ status: 'done', attempts: 1 })
  })
})

describe('the record of an event', () => {
  it('is not read before a message that is received for the first time', async () => {
    const at = running(() => false)
    await at.stripe({ id: 'evt_1' })
    await at.run(STEP)
    expect(at.record('evt_1')).toMatchObject({ status: 'done' })
    expect(at.reads).toEqual([])
  })
})
