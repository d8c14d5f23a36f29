import type { Message } from '../contract/message.ts'
import { BURIED_BODY_SECONDS } from '../contract/queues.ts'
import { type Fingerprint, plus, type Seconds, type Sha256, seconds, toSeconds } from '../domain/brands.ts'
import { unavailable } from '../domain/fault.ts'
import { BodyDamaged } from '../domain/kept-body.ts'
import { pointedTo } from '../domain/message.ts'
import type { Unavailable } from '../domain/ports.ts'
import { type BodyPlace, clip, type EventRecord, type Ownership } from '../domain/record.ts'
import type { EndAnswer } from '../domain/work.ts'
import type { World } from '../domain/world.ts'
import { BodyGone, openBody } from './open-body.ts'
import { SUPERSEDED, type Work } from './outcome.ts'

/** To keep the body of an event and to say that it has failed. */
export type Failing = World<'failures' | 'bodies' | 'keptBodies' | 'now' | 'newFence'>

const A_DAY = seconds(86_400)

/** A message that is not needed any more: to keep its body would bring one back that was erased, or one that nobody asks for. */
export const notNeeded = (existing: EventRecord | undefined, { generation }: EventRecord): Work | undefined => {
  if (!existing || existing.generation < generation) return undefined
  const { status, erasedAt } = existing
  if (existing.generation > generation) return SUPERSEDED
  if (status === 'done' || status === 'ignored') return { work: 'skipped', why: status }
  return erasedAt === undefined ? undefined : SUPERSEDED
}

/** First the body is kept, then the event is `failed`; only when both are certain may its message be deleted. */
export const failForGood = async (
  world: Failing,
  message: Message,
  record: EventRecord,
  by: Ownership,
  lastError: string,
): Promise<EndAnswer> => {
  const bodyExpiresAt = plus(toSeconds(by.now), seconds(Math.max(BURIED_BODY_SECONDS, message.retain)))
  const kept = await keepFrom(world, message, by, bodyExpiresAt)
  if (kept.kind === 'unavailable') return kept
  return world.failures.fail(record, by, {
    lastError: clip('lastError', lastError),
    // Those of the message: the record may still name the bytes of an earlier delivery.
    bodySha256: message.body.sha256 as Sha256,
    bodySize: message.body.size,
    bodyAt: kept.at,
    expiresAt: seconds(Math.max(message.expiresAt, plus(bodyExpiresAt, A_DAY))),
  })
}

/** A body that is gone or damaged cannot be kept: the event fails all the same, and says that it has none. */
const keepFrom = async (
  world: Failing,
  message: Message,
  { now }: Ownership,
  expiresAt: Seconds,
): Promise<{ readonly kind: 'kept'; readonly at: BodyPlace | null } | Unavailable> => {
  try {
    const bytes = await openBody(world.keptBodies, message, now)
    const { id, copyOf = id, eventId, headers, ordering } = message
    const sha256 = message.body.sha256 as Sha256
    return await world.bodies.keep(
      { fingerprint: copyOf as Fingerprint, sha256, bytes, eventId, headers, ordering },
      now,
      expiresAt,
      { readAt: pointedTo(message) },
    )
  } catch (error) {
    if (error instanceof BodyGone || error instanceof BodyDamaged) return { kind: 'kept', at: null }
    return unavailable(error)
  }
}
