import { isDeepStrictEqual } from 'node:util'
import { QUEUE } from '../contract/queues.ts'
import type { Millis } from '../domain/brands.ts'
import { causeOf } from '../domain/fault.ts'
import type { KnownQueues, LeftQueues } from '../domain/recovery.ts'
import { DEPLOYING_MS } from '../domain/removed.ts'
import type { World } from '../domain/world.ts'

/** What became of the queue of one destination that was removed. */
export interface Emptied {
  readonly destination: string
  readonly messages: number
  /** Its queue did not answer, or is gone. */
  readonly failed?: string
}

/** No message is older than the queue keeps any, and one was sent at most a moment after its destination was removed. */
const EMPTIED_FOR_MS = QUEUE.retentionSeconds * 1000 + 86_400_000

/**
 * Whoever takes a destination out of destinations.ts leaves its queue behind, with what waits in it. That goes to the dead letters,
 * where it fails with its body kept: a replay sends it where the routes of today lead.
 */
export const emptyRemoved = async (
  world: World<'recovery' | 'left' | 'now'>,
  stop: () => boolean = () => false,
): Promise<readonly Emptied[]> => {
  const { recovery, left, now } = world
  const known = await recovery.queues()
  const queues = asOf(known, left.current, now())
  // A map of the table has no order.
  if (!isDeepStrictEqual(queues, known)) await recovery.noteQueues(queues, now())
  const emptied: Emptied[] = []
  for (const [destination, { url, removedAt }] of Object.entries(queues)) {
    if (removedAt === undefined || now() - removedAt < DEPLOYING_MS) continue
    emptied.push({ destination, ...(await emptyOne(left, url, stop)) })
  }
  return emptied.filter(({ messages, failed }) => messages > 0 || failed !== undefined)
}

const asOf = (known: KnownQueues, current: LeftQueues['current'], now: Millis): KnownQueues => {
  const removed = Object.entries(known)
    .filter(([name]) => current[name] === undefined)
    .map(([name, { url, removedAt = now }]) => [name, { url, removedAt }] as const)
    .filter(([, { removedAt }]) => now - removedAt < EMPTIED_FOR_MS)
  return Object.fromEntries([...Object.entries(current).map(([name, url]) => [name, { url }] as const), ...removed])
}

const emptyOne = async (
  left: LeftQueues,
  url: string,
  stop: () => boolean,
): Promise<Pick<Emptied, 'messages' | 'failed'>> => {
  let messages = 0
  try {
    for (let some = 1; some > 0 && !stop(); messages += some) some = await left.bury(url)
    return { messages }
  } catch (error) {
    return { messages, failed: causeOf(error) }
  }
}
