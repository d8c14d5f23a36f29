import { QUEUE } from '../contract/queues.ts'
import { plus, seconds, toSeconds } from '../domain/brands.ts'
import { type EventRecord, isExpired } from '../domain/record.ts'
import type { World } from '../domain/world.ts'

const A_WEEK = seconds(7 * 86_400)

/** An event older than its queue keeps messages, and still not done: its message is gone. It fails visibly; replay is for people. */
export const markLost = async (
  world: World<'failures' | 'now' | 'newFence'>,
  seen: EventRecord,
): Promise<'lost' | 'fine' | 'unavailable'> => {
  const now = world.now()
  const waits =
    (seen.status === 'queued' || seen.status === 'working') && seen.claimedAt <= now - QUEUE.retentionSeconds * 1000
  // An index that lags may still show an event where it stood before it was sent again.
  if (!waits || isExpired(seen, toSeconds(now)) || seen.leaseUntil > now) return 'fine'
  const { bodySha256, bodySize, bodyAt, expiresAt } = seen
  const answer = await world.failures.fail(
    seen,
    { fence: world.newFence(), now, leaseUntil: now },
    {
      lastError: seen.lastError ?? 'Lost: its message is older than the queue keeps any',
      bodySha256,
      bodySize,
      bodyAt,
      expiresAt: seconds(Math.max(expiresAt, plus(toSeconds(now), A_WEEK))),
    },
  )
  if (answer.kind === 'moved') return 'lost'
  return answer.kind === 'unavailable' ? 'unavailable' : 'fine'
}
