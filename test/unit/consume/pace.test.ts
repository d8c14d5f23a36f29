import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { backOff } from '../../../functions/consume/back-off.ts'
import { type ConsumeOptions, consume } from '../../../functions/consume/consume.ts'
import { shareEvery } from '../../../functions/consume/pace.ts'
import { workLine } from '../../../functions/consume/work-line.ts'
import type { Message } from '../../../functions/contract/message.ts'
import { type Fingerprint, millis, seconds } from '../../../functions/domain/brands.ts'
import { TryLater } from '../../../functions/domain/event.ts'
import { anyFence, NOON } from '../../support/events.ts'
import { memoryRig } from '../../support/memory-rig.ts'
import { sealed } from '../../support/sealed.ts'

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const messageOf = (name: string, to?: string): Message => ({
  ...(to !== undefined && { to: [to] }),
  version: 1,
  id: digest(name),
  source: 'stripe',
  provider: 'stripe',
  eventId: name,
  type: null,
  generation: 0,
  edition: 0,
  receivedAt: '2026-11-15T11:59:59.000Z',
  correlationId: 'request-1',
  expiresAt: NOON / 1000 + 30 * 86_400,
  retain: 0,
  bodySigned: true,
  headers: {},
  ordering: null,
  body: { sha256: digest(name), size: name.length, encoding: 'base64', data: Buffer.from(name).toString('base64') },
})

const recordOf = (name: string, to?: string) => ({
  messageId: name,
  receiptHandle: `receipt of ${name}`,
  body: sealed(messageOf(name, to)),
  attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(NOON) },
})

/** A function whose clock only moves when it waits. */
const functionWith = (options: Pick<ConsumeOptions, 'pace' | 'destination'>, work = () => {}) => {
  let now = NOON
  const begun: number[] = []
  const hidden: { receipt: string; seconds: number }[] = []
  const lines: string[] = []
  const rig = memoryRig({ now: () => now })
  const waits: { at: number; act: () => void }[] = []
  const handler = consume(
    () => {
      begun.push(now - NOON)
      return work()
    },
    {
      ...options,
      environment: 'test',
      world: {
        ...rig.stores,
        visibility: {
          hide: async ({ receipt }, time) => {
            hidden.push({ receipt, seconds: time })
            return { kind: 'hidden' }
          },
        },
        now: () => now,
        newFence: anyFence,
        random: () => 0,
      },
      write: line => void lines.push(line),
      after: (delay, act) => {
        const wait = { at: now + delay, act }
        waits.push(wait)
        return () => void waits.splice(waits.indexOf(wait), 1)
      },
    },
  )
  /** As Lambda would call it, with so much time. */
  const call = async (names: readonly string[], within: number) => {
    const deadline = now + within
    const event = { Records: names.map(name => recordOf(name, options.destination)) } as never
    const answer = handler(event, { getRemainingTimeInMillis: () => deadline - now })
    let over = false
    void answer.finally(() => {
      over = true
    })
    while (!over) {
      await new Promise(resolve => setImmediate(resolve))
      const [next] = waits.toSorted((left, right) => left.at - right.at)
      if (over || next === undefined) continue
      waits.splice(waits.indexOf(next), 1)
      now = millis(Math.max(now, next.at))
      next.act()
    }
    return answer
  }
  return { call, begun, hidden, lines, records: rig.records }
}

describe('a rate', () => {
  it('events begin one after another at the share of the function, from its first one on', async () => {
    const { call, begun } = functionWith({ pace: { every: 100 } })
    expect(await call(['a', 'b', 'c'], 5_000)).toEqual({ batchItemFailures: [] })
    expect(begun).toEqual([100, 200, 300])
    await call(['d'], 5_000)
    expect(begun[3]).toBe(400)
  })

  it('an event that may not begin in this call goes back, and no try of it is used up', async () => {
    const { call, begun, hidden, records } = functionWith({ pace: { every: 3_000 } })
    expect(await call(['a', 'b'], 5_000)).toEqual({ batchItemFailures: [{ itemIdentifier: 'b' }] })
    expect(begun).toEqual([3_000])
    expect(hidden).toEqual([{ receipt: 'receipt of b', seconds: 6 }])
    expect(records.get(digest('b') as Fingerprint)).toBeUndefined()
  })

  it('without a rate nothing waits', async () => {
    const { call, begun } = functionWith({})
    await call(['a', 'b'], 5_000)
    expect(begun).toEqual([0, 0])
  })

  it('functions that keep to their shares stay below the rate together, however often they are replaced', () => {
    const every = 125
    const begins = Array.from({ length: 10 }, (_, slot) => {
      const begun: number[] = []
      // A new function every half second.
      for (let begin = slot; begin < 10_000; begin += 500) {
        const own = shareEvery(every, millis(begin))
        for (;;) {
          const at = own.begin(millis(begin), millis(begin + 499))
          if (at === undefined) break
          begun.push(at)
        }
      }
      return begun
    }).flat()
    const inAnySecond = Array.from(
      { length: 9_000 },
      (_, from) => begins.filter(at => at >= from && at < from + 1_000).length,
    )
    expect(Math.max(...inAnySecond)).toBeLessThanOrEqual(80)
    expect(begins.length).toBeGreaterThan(500)
  })
})

describe('the line of a dead letter', () => {
  it('a dead letter is counted for the destination that its message names, and one of the worker for none', () => {
    const lineOf = (message: Message) =>
      JSON.parse(
        workLine({
          environment: 'test',
          text: sealed(message),
          messageId: 'm-1',
          receiveCount: 1000,
          sentAt: NOON,
          ended: { work: 'failed', lastError: 'Undelivered' },
          startedAt: NOON,
          finishedAt: NOON,
        }),
      )
    expect(lineOf({ ...messageOf('a'), to: ['crm'] })).toMatchObject({ Destination: 'crm', Failed: 1 })
    expect(lineOf(messageOf('a'))).not.toHaveProperty('Destination')
    expect(lineOf({ ...messageOf('a'), to: ['crm', 'billing'] })).not.toHaveProperty('Destination')
  })
})

describe('waits of a destination', () => {
  const failed = { work: 'attempt-failed', lastError: 'no', attempts: 3, tries: 16 } as const
  const received = { receiveCount: 3, group: null }

  it('the wait after a failure begins and ends as the destination says', () => {
    const pace = { first: seconds(5), longest: seconds(60) }
    expect(backOff(failed, received, NOON, 0)).toBe(120)
    expect(backOff(failed, received, NOON, 0, pace)).toBe(20)
    expect(backOff({ ...failed, attempts: 9 }, received, NOON, 0, pace)).toBe(60)
  })

  it('the longest wait that a destination may ask for is one that SQS takes, with all that chance adds to it', () => {
    const pace = { first: seconds(36_000), longest: seconds(36_000) }
    expect(backOff(failed, received, NOON, 0.999, pace)).toBe(12 * 3_600 - 900)
  })

  it('a Retry-After makes the wait longer and never shorter, and never longer than SQS can hide a message', () => {
    expect(backOff({ ...failed, retryAfter: seconds(600) }, received, NOON, 0)).toBe(600)
    expect(backOff({ ...failed, retryAfter: seconds(1) }, received, NOON, 0)).toBe(120)
    expect(backOff({ ...failed, retryAfter: seconds(1_000_000) }, received, NOON, 0)).toBe(12 * 3_600 - 900)
  })

  it('a handler that throws TryLater is called again no sooner than it asked for', async () => {
    const { call, hidden, lines, records } = functionWith({ destination: 'crm' }, () => {
      throw new TryLater('answered 503', 600)
    })
    await call(['a'], 5_000)
    expect(hidden).toEqual([{ receipt: 'receipt of a', seconds: 600 }])
    expect(records.get(digest('a') as Fingerprint)).toMatchObject({ attempts: 1, lastError: 'TryLater: answered 503' })
    const line = JSON.parse(lines[0] ?? '')
    expect(line).toMatchObject({ Destination: 'crm', Source: 'stripe', AttemptFailed: 1, retryAfter: 600 })
    expect(line._aws.CloudWatchMetrics[0].Dimensions).toEqual([
      ['Environment', 'Source'],
      ['Environment', 'Destination'],
    ])
  })
})
