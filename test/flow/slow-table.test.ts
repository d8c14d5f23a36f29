import { describe, expect, it } from 'vitest'
import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import type { ReceivedMessage } from '../../functions/adapters/wire/queue-calls.ts'
import { type After, batch, toItem } from '../../functions/consume/batch.ts'
import type { Handler } from '../../functions/consume/handle.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { sqsEvent } from '../../lib/local/sqs-event.ts'
import { RIG_NAMES } from '../support/memory-rig.ts'
import { wholeRig } from '../support/whole-rig.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const WORKER_MS = 5 * SECOND

type Mood = 'well' | 'never reached' | 'writes and never answers'

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

/** The time of one invocation passes by turns of the event loop: every call takes one to its service and one back. */
const TURNS_PER_SECOND = 20

const byTurns: After = (delay, act) => {
  let stopped = false
  const wait = async () => {
    for (let turns = (delay / SECOND) * TURNS_PER_SECOND; turns > 0 && !stopped; turns--) await turn()
    if (!stopped) act()
  }
  void wait()
  return () => {
    stopped = true
  }
}

/** Every invocation has a process of its own. Lambda freezes it when it has answered: what is not on the wire by then gets nowhere. */
const running = (handler: Handler, sources?: Sources) => {
  const at = wholeRig(sources && { sources })
  const { aws: inner } = at.memory
  let mood: Mood = 'well'

  const invoke = async (messages: readonly ReceivedMessage[]): Promise<readonly string[]> => {
    let frozen = false
    const never = new Promise<never>(() => {})
    const onWire = <Calls extends object>(calls: Calls, isSlow: (now: Mood) => boolean): Calls =>
      new Proxy(calls, {
        get:
          (target, name) =>
          async (...given: unknown[]) => {
            await turn()
            if (frozen || (isSlow(mood) && mood === 'never reached')) return never
            const answer = await (Reflect.get(target, name) as (...all: unknown[]) => Promise<unknown>)(...given)
            await turn()
            return frozen || isSlow(mood) ? never : answer
          },
      })
    const dynamo = onWire(inner.dynamo, now => now !== 'well')
    const aws: AwsCalls = { ...inner, dynamo, queue: onWire(inner.queue, () => false) }
    const world = { ...at.world, ...storesOver(aws, RIG_NAMES, EVERY_STORE, at.world.now) }
    const items = sqsEvent(messages, 'arn').Records.map(toItem)
    const { failed } = await batch(world, handler, items, { remaining: () => WORKER_MS, after: byTurns }, () => {})
    frozen = true
    return failed
  }

  const poll = async (url: string): Promise<void> => {
    const messages = await inner.queue.receiveMessages(url, { waitSeconds: 0 })
    if (messages.length === 0) return
    const failed = await invoke(messages)
    const over = messages.filter(({ messageId }) => !failed.includes(messageId)).map(({ receipt }) => receipt)
    if (over.length > 0) await inner.queue.deleteMessages(url, over)
  }

  return {
    ...at,
    set: (next: Mood) => {
      mood = next
    },
    run: async (time: number): Promise<void> => {
      for (let passed = 0; passed < time; passed += 30 * SECOND) {
        at.advance(30 * SECOND)
        for (const url of [RIG_NAMES.queueUrl, RIG_NAMES.orderedQueueUrl]) await poll(url)
      }
    },
    record: () => at.records.values()[0],
    receives: () => Math.max(...at.memory.engine.messages(RIG_NAMES.queueUrl).map(({ receives }) => receives)),
  }
}

const ORDERED: Sources = { stripe: { provider: 'stripe', ordering: { key: 'customer' } } }

describe('a table that is slow instead of refusing', () => {
  it.each([
    ['standard', undefined],
    ['FIFO', ORDERED],
  ])(
    'uses up no try of an event from the %s queue if it writes and never answers for two hours',
    async (_, sources) => {
      let calls = 0
      const at = running(() => void calls++, sources)
      await at.stripe({ id: 'evt_1', customer: 'c' })
      at.set('writes and never answers')
      await at.run(2 * HOUR)
      expect(at.record()).toMatchObject({ status: 'working', attempts: 0 })
      at.set('well')
      await at.run(HOUR)
      expect(at.record()).toMatchObject({ status: 'done', attempts: 1 })
      expect(calls).toBe(1)
    },
  )

  it('makes messages come back more and more slowly if it is never reached, so they outlive the outage', async () => {
    let calls = 0
    const at = running(() => void calls++)
    await at.stripe({ id: 'evt_1' })
    at.set('never reached')
    await at.run(4 * HOUR)
    expect(at.receives()).toBeLessThan(20)
    at.set('well')
    await at.run(HOUR)
    expect(at.record()).toMatchObject({ status: 'done', attempts: 1 })
    expect(calls).toBe(1)
  })
})
