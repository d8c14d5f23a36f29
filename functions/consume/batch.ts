import type { SQSRecord } from 'aws-lambda'
import { type Millis, millis } from '../domain/brands.ts'
import { causeOf } from '../domain/fault.ts'
import type { HeldMessage } from '../domain/ports.ts'
import type { Consuming } from '../domain/world.ts'
import { backOff } from './back-off.ts'
import type { Handler } from './handle.ts'
import { isOver, type Work } from './outcome.ts'
import type { Pace, Share } from './pace.ts'
import { triesOf } from './tries.ts'
import { turns } from './turns.ts'
import { type Received, work } from './work.ts'

/** In a FIFO queue, messages of one group are handled one after another. */
export interface BatchItem extends Received, HeldMessage {}

export interface BatchBounds {
  /** Milliseconds that the function may still run. */
  remaining(): number
  /** Calls of the handler with one event. @default by the kind of the queue */
  readonly tries?: number | undefined
  /** Whose messages these are. @default anybody's */
  readonly destination?: string | undefined
  readonly pace?: Pace | undefined
  /** This function's share of a rate. @default there is none */
  readonly share?: Share | undefined
  /** Acts after so many milliseconds; what it returns stops it. @default a timer */
  readonly after?: After
}

export type After = (delay: number, act: () => void) => () => void

/** Before Lambda ends the function: time to report what is still running, then to hide what did not even report, then to answer. */
const REPORT_BEFORE_MS = 1_000
const HIDE_BEFORE_MS = 500
const ANSWER_BEFORE_MS = 200

/** Every message on its own; in a FIFO group, what follows a message that has to come back comes back with it. */
export const batch = async (
  world: Consuming,
  handler: Handler,
  items: readonly BatchItem[],
  bounds: BatchBounds,
  account: (item: BatchItem, ended: Work) => void,
): Promise<{ readonly failed: readonly string[] }> => {
  const { signal, lastReport, lastCall, stop } = endsOf(bounds)
  const groups = groupsOf(items)
  const { turn, leave } = turns(groups.length)

  const attempt = async (item: BatchItem): Promise<Work> => {
    const later = await awaitShare(world, bounds)
    if (later !== undefined) return { work: 'busy', leaseUntil: later }
    const own = {
      // When it is asked for: a message may wait for its turn.
      get remaining() {
        return millis(Math.max(0, bounds.remaining()))
      },
      signal,
      tries: triesOf(item.group, bounds.tries),
      destination: bounds.destination,
      pace: bounds.pace,
      turn,
    }
    return work(world, handler, item, own)
  }

  const one = async (item: BatchItem): Promise<Work> => {
    const ended = await Promise.race([attempt(item).catch(surprise), lastReport])
    if (!isOver(ended)) await Promise.race([hide(world, item, ended, bounds.pace), lastCall])
    account(item, ended)
    return ended
  }

  const inOrder = async (group: readonly BatchItem[]): Promise<string[]> => {
    for (const [index, item] of group.entries()) {
      if (!isOver(await one(item))) return group.slice(index).map(({ messageId }) => messageId)
    }
    return []
  }

  try {
    const failed = await Promise.all(groups.map(group => inOrder(group).finally(leave)))
    return { failed: failed.flat() }
  } finally {
    stop()
  }
}

/** What happens shortly before the function runs out of time. */
const endsOf = (bounds: BatchBounds) => {
  const deadline = new AbortController()
  const lastReport = Promise.withResolvers<Work>()
  const lastCall = Promise.withResolvers<void>()
  if (bounds.remaining() <= REPORT_BEFORE_MS) deadline.abort()
  const before = (end: number, act: () => void) => (bounds.after ?? byTimer)(Math.max(0, bounds.remaining() - end), act)
  const stops = [
    before(REPORT_BEFORE_MS, () => deadline.abort()),
    before(HIDE_BEFORE_MS, () => lastReport.resolve(OUT_OF_TIME)),
    before(ANSWER_BEFORE_MS, lastCall.resolve),
  ]
  return {
    signal: deadline.signal,
    lastReport: lastReport.promise,
    lastCall: lastCall.promise,
    stop: () => {
      for (const stop of stops) stop()
    },
  }
}

const byTimer: After = (delay, act) => {
  const timer = setTimeout(act, delay)
  return () => clearTimeout(timer)
}

/** The answer for the whole batch is worth more than this message's: without it, every message of it would come back. */
const OUT_OF_TIME: Work = { work: 'unavailable', cause: 'no answer in time' }

/** If it cannot be hidden, it comes back when the queue's own timeout is over. */
const hide = (world: Consuming, item: BatchItem, ended: Work, pace: Pace | undefined): Promise<unknown> =>
  world.visibility.hide(item, backOff(ended, item, world.now(), world.random(), pace))

/** Waits until an event may begin; if not in this call, answers when. Nothing is taken yet, so no try is used up. */
const awaitShare = async ({ now }: Consuming, bounds: BatchBounds): Promise<Millis | undefined> => {
  const { share, after = byTimer } = bounds
  if (share === undefined) return undefined
  const asked = now()
  const at = share.begin(asked, millis(asked + bounds.remaining() - REPORT_BEFORE_MS))
  if (at === undefined) return share.next(asked)
  if (at > asked) await new Promise<void>(resolve => void after(at - asked, resolve))
  return undefined
}

const surprise = (error: unknown): Work => ({ work: 'unavailable', cause: causeOf(error) })

export const toItem = ({ messageId, receiptHandle, body, attributes }: SQSRecord): BatchItem => ({
  messageId,
  receipt: receiptHandle,
  text: body,
  receiveCount: Number(attributes.ApproximateReceiveCount),
  sentAt: millis(Number(attributes.SentTimestamp)),
  group: attributes.MessageGroupId ?? null,
})

const groupsOf = (items: readonly BatchItem[]): readonly (readonly BatchItem[])[] => {
  const groups = new Map<string, BatchItem[]>()
  for (const item of items) {
    const key = item.group === null ? `alone ${item.messageId}` : `group ${item.group}`
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return [...groups.values()]
}
