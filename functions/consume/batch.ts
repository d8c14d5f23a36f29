import type { SQSRecord } from 'aws-lambda'
import { millis } from '../domain/brands.ts'
import type { Consuming } from '../domain/world.ts'
import type { Handler } from './handle.ts'
import { type Received, type Work, work } from './work.ts'

export interface BatchItem extends Received {
  readonly messageId: string
  /** FIFO queues: messages of one group are handled one after another. */
  readonly group: string | null
}

export interface BatchClock {
  remaining(): number
}

/** Time to report what is still running before Lambda ends the function, and then to answer for what did not even report. */
const REPORT_BEFORE_MS = 1_000
const ANSWER_BEFORE_MS = 200

/** Every message on its own; in a FIFO group, what follows a message that has to come back comes back with it. */
export const batch = async (
  world: Consuming,
  handler: Handler,
  items: readonly BatchItem[],
  clock: BatchClock,
  account: (item: BatchItem, ended: Work) => void,
): Promise<{ readonly failed: readonly string[] }> => {
  const deadline = new AbortController()
  const lastCall = Promise.withResolvers<Work>()
  if (clock.remaining() <= REPORT_BEFORE_MS) deadline.abort()
  const timers = [
    setTimeout(() => deadline.abort(), Math.max(0, clock.remaining() - REPORT_BEFORE_MS)),
    setTimeout(() => lastCall.resolve(OUT_OF_TIME), Math.max(0, clock.remaining() - ANSWER_BEFORE_MS)),
  ]

  const one = async (item: BatchItem): Promise<Work> => {
    const time = { remaining: millis(Math.max(0, clock.remaining())), signal: deadline.signal }
    const ended = await Promise.race([work(world, handler, item, time).catch(surprise), lastCall.promise])
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
    const failed = await Promise.all(groupsOf(items).map(inOrder))
    return { failed: failed.flat() }
  } finally {
    timers.forEach(clearTimeout)
  }
}

/** The answer for the whole batch is worth more than this message's: without it, every message of it would come back. */
const OUT_OF_TIME: Work = { work: 'unavailable', cause: 'no answer in time' }

const surprise = (error: unknown): Work => ({ work: 'unavailable', cause: String(error) })

/** A message is deleted only when its event is done, failed for good, or another message's business. */
const IS_OVER = {
  done: true,
  skipped: true,
  failed: true,
  'attempt-failed': false,
  busy: false,
  malformed: false,
  unavailable: false,
} as const satisfies Record<Work['work'], boolean>

export const isOver = (ended: Work): boolean => IS_OVER[ended.work]

export const toItem = ({ messageId, body, attributes }: SQSRecord): BatchItem => ({
  messageId,
  text: body,
  receiveCount: Number(attributes.ApproximateReceiveCount),
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
