import { IN_TRANSIT_BODY_SECONDS, MESSAGE_LIFE_SECONDS } from '../contract/queues.ts'
import { plus, type Seconds, seconds, toSeconds } from '../domain/brands.ts'
import type { Identified, Kept } from '../domain/evidence.ts'
import { needsPointer } from '../domain/message.ts'
import { type Ending, outage } from '../domain/outcome.ts'
import type { KeepAnswer, KeepHow } from '../domain/ports.ts'
import type { World } from '../domain/world.ts'

/** A sender that will not come again gets its body stored before the claim, so the claim alone can be finished. */
export const keep = async (
  world: World<'bodies' | 'now'>,
  event: Identified,
): Promise<Kept | Ending<'unavailable'>> => {
  // What nobody wants is over with its claim.
  if (!event.source.storeFirst || event.to.length === 0) return { ...event, bodyAt: null } as Kept
  const answer = await keepBody(world, event, { unclaimed: true })
  if (answer.kind === 'unavailable') return outage('body-store', answer.cause)
  return { ...event, bodyAt: answer.at, bodyMayBeBlank: answer.mayBeBlank === true } as Kept
}

/** Long enough for replay, for recovery and, where the message only points to it, for as long as the message lives. */
export const keepBody = (world: World<'bodies' | 'now'>, event: Identified, how: KeepHow = {}): Promise<KeepAnswer> => {
  const { bodySha256, body, eventId, headers, ordering, copyOf } = event
  const fingerprint = copyOf ?? event.fingerprint
  const now = world.now()
  const kept = { fingerprint, sha256: bodySha256, bytes: body, eventId, headers, ordering }
  return world.bodies.keep(kept, now, plus(toSeconds(now), bodyLife(event)), how)
}

/** For whoever owns the event: not a second time, unless what was there before the claim may be blank. */
export const keptOnce = async (world: World<'bodies' | 'now'>, event: Kept): Promise<KeepAnswer> =>
  event.bodyAt === null || event.bodyMayBeBlank ? keepBody(world, event) : { kind: 'kept', at: event.bodyAt }

const bodyLife = (event: Identified): Seconds => {
  const { retain } = event.source
  const forReplay = seconds(Math.max(retain === 'none' ? 0 : retain, IN_TRANSIT_BODY_SECONDS))
  return event.copyOf !== undefined || needsPointer(event.body)
    ? seconds(Math.max(forReplay, MESSAGE_LIFE_SECONDS))
    : forReplay
}
