import { QUEUE } from '../contract/queues.ts'
import type { Status } from '../contract/status.ts'
import { type Millis, plus, seconds, toSeconds } from '../domain/brands.ts'
import { bodyOwner } from '../domain/copies.ts'
import { type BodyPlace, type EventRecord, isExpired } from '../domain/record.ts'
import type { World } from '../domain/world.ts'

const A_WEEK = seconds(7 * 86_400)

/** Why an event of this status is lost once its message must be gone. */
const LOST = {
  claimed: 'Lost: nobody finished it, and if it had a message, the queue keeps none so long',
  queued: 'Lost: its message is older than the queue keeps any',
  working: 'Lost: its message is older than the queue keeps any',
  done: null,
  failed: null,
  ignored: null,
} as const satisfies Record<Status, string | null>

/** An event older than its queue keeps messages, and still not done: its message is gone. It fails visibly; replay is for people. */
export const markLost = async (
  world: World<'failures' | 'keptBodies' | 'sources' | 'now' | 'newFence'>,
  seen: EventRecord,
  readAt: Millis,
): Promise<'lost' | 'fine' | 'unavailable'> => {
  // Not the present: whoever has come to own the event since it was read has a lease that ends after this, however slow we are.
  const now = readAt
  const why = LOST[seen.status]
  const waits = why !== null && seen.claimedAt <= now - QUEUE.retentionSeconds * 1000
  // An index that lags may still show an event where it stood before it was sent again.
  if (!waits || isExpired(seen, toSeconds(now)) || seen.leaseUntil > now) return 'fine'
  // A claim may never have been acknowledged: if a resend would not reopen it, it has to stay one that can be taken over.
  const { reopens } = world.sources.get(seen.source) ?? {}
  if (seen.status === 'claimed' && seen.copyOf === null && reopens === false) return 'lost'
  const { bodySha256, bodySize, expiresAt } = seen
  const answer = await world.failures.fail(
    seen,
    { fence: world.newFence(), now, leaseUntil: now },
    {
      lastError: seen.lastError ?? why,
      bodySha256,
      bodySize,
      bodyAt: await stillKept(world, seen),
      // Sooner than anybody says who has its message: the body that they kept, and its place, stay in the record.
      expiresAt: seconds(Math.max(expiresAt - 1, plus(toSeconds(now), A_WEEK))),
    },
  )
  if (answer.kind === 'moved') return 'lost'
  return answer.kind === 'unavailable' ? 'unavailable' : 'fine'
}

/** The queue keeps messages longer than most sources keep bodies: who looks at the event has to know whether it can be replayed. */
const stillKept = async (
  { keptBodies, now }: World<'keptBodies' | 'now'>,
  record: EventRecord,
): Promise<BodyPlace | null> => {
  const { bodySha256, bodyAt } = record
  if (bodyAt === null) return null
  const isThere = await keptBodies.fetch(bodyOwner(record), bodySha256, bodyAt, now()).then(
    body => body !== undefined,
    () => true,
  )
  return isThere ? bodyAt : null
}
