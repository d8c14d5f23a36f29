import { millis, plus, toSeconds } from '../domain/brands.ts'
import type { Claimed, Kept } from '../domain/evidence.ts'
import { type Ending, ended, type Outcome, outage, reject } from '../domain/outcome.ts'
import type { ClaimAnswer } from '../domain/ports.ts'
import { clip, type EventRecord, isAbandoned } from '../domain/record.ts'
import type { Accepting } from '../domain/world.ts'
import { claimed } from './claimed.ts'
import { keep, keptOnce } from './keep.ts'
import { ownership } from './ownership.ts'
import { patienceOf } from './patience.ts'
import { setAside, unwanted } from './set-aside.ts'
import { takeOver } from './take-over.ts'

const CONTENDED_TRIES = 4
const CONTENDED_PAUSE = millis(50)

/** One conditional write makes this delivery the owner of its event, or says who is. */
export const claim = async (
  world: Accepting,
  event: Kept,
  /** For the bodies of events that nobody wants: those of one delivery wait together. */
  patience = patienceOf(world),
): Promise<Claimed | Outcome> => {
  const answer = await claimUncontended(world, newRecord(world, event), event.source.unique !== null)
  switch (answer.kind) {
    case 'won':
      return event.to.length === 0
        ? setAside(world, event, answer.record, patience)
        : claimed(event, answer.record, 'claimed')
    case 'lost':
      return answer.existing.erasedAt === undefined
        ? meet(world, event, answer.existing)
        : meetErased(world, event, answer.existing)
    case 'taken':
      return reject('proof-reused')
    case 'contended':
      return inFlight(event)
    case 'unavailable':
      return outage('event-store', answer.cause)
  }
}

/** Two guarded claims can cancel each other. Somebody has to have it: a sender that never retries would lose its event. */
const claimUncontended = async (world: Accepting, record: EventRecord, exclusive: boolean): Promise<ClaimAnswer> => {
  for (let tries = 1; ; tries += 1) {
    const answer = await world.claims.claim(record, exclusive)
    if (answer.kind !== 'contended' || tries === CONTENDED_TRIES) return answer
    await world.pause(CONTENDED_PAUSE)
  }
}

/** The event has a record already: its status says what this delivery is. */
const meet = async (world: Accepting, event: Kept, existing: EventRecord): Promise<Claimed | Outcome> => {
  // A key names one payload: with another nothing is done, whatever became of the first.
  if (event.source.publish && hasOtherBody(event, existing)) return duplicate(event, existing)
  switch (existing.status) {
    case 'queued':
    case 'working':
    case 'done':
    case 'ignored':
      return duplicate(event, existing)
    case 'claimed':
      return isAbandoned(existing, world.now()) ? meetAbandoned(world, event, existing) : inFlight(event)
    case 'failed':
      return mayReopen(event, existing) ? reopen(world, event, existing) : duplicate(event, existing)
  }
}

/** A repeat of what was erased is a duplicate, and brings no body back: one that was stored first is taken away again. */
const meetErased = async (world: Accepting, event: Kept, existing: EventRecord): Promise<Outcome> => {
  const { fingerprint, bodySha256, bodyAt } = event
  if (bodyAt !== null) await world.bodies.discard(fingerprint, bodySha256, bodyAt, existing.expiresAt)
  return duplicate(event, existing)
}

/** Nor may it finish an abandoned claim with another one: only a proof of its own may. */
const isCaptured = (event: Kept, existing: EventRecord): boolean =>
  event.source.sameBody === true && event.guard === existing.guard && hasOtherBody(event, existing)

/** Where what is signed fits other bodies, a captured proof must not bring a failed event back with another one; nor if nobody wants it now. */
const mayReopen = (event: Kept, existing: EventRecord): boolean =>
  event.source.reopens && event.to.length > 0 && !(event.source.sameBody && hasOtherBody(event, existing))

const meetAbandoned = async (world: Accepting, event: Kept, seen: EventRecord): Promise<Claimed | Outcome> => {
  if (isCaptured(event, seen)) return inFlight(event)
  // Nothing was acknowledged: if its destination was removed, it goes where the routes of today lead.
  const to = (await world.queue.leadsTo(seen.to)) ? undefined : event.to
  if (to?.length === 0) return unwanted(event, seen, true)
  const same = await sameEvent(world, event, seen)
  return ended(same) ? same : ((await takeOver(world, same, seen, to)) ?? inFlight(event))
}

/** The body is stored before the event is reopened: a failed event is not in anybody's retry schedule any more. */
const reopen = async (world: Accepting, event: Kept, seen: EventRecord): Promise<Claimed | Outcome> => {
  const same = await sameEvent(world, event, seen)
  if (ended(same)) return same
  const kept = await keptOnce(world, same)
  if (kept.kind === 'unavailable') return outage('body-store', kept.cause)
  const by = ownership(world)
  const settlement = {
    now: by.now,
    expiresAt: plus(toSeconds(by.now), event.source.memory),
    bodySha256: event.bodySha256,
    bodySize: event.body.length,
    bodyAt: kept.at,
  }
  const answer = await world.claims.reopen(seen, by, settlement, event.to)
  switch (answer.kind) {
    case 'owned':
      return claimed({ ...same, bodyAt: kept.at, bodyMayBeBlank: false }, answer.record, 'reopened')
    case 'superseded':
      return inFlight(event)
    case 'unavailable':
      return outage('event-store', answer.cause)
  }
}

/** Under a guard, the record met may be that of another id with the same signed bytes: this delivery is then that event. */
const sameEvent = async (world: Accepting, event: Kept, met: EventRecord): Promise<Kept | Ending<'unavailable'>> =>
  event.fingerprint === met.fingerprint
    ? event
    : keep(world, { ...event, fingerprint: met.fingerprint, eventId: met.eventId })

const newRecord = (world: Accepting, event: Kept): EventRecord => {
  const { fence, now, leaseUntil } = ownership(world)
  const record: EventRecord = {
    fingerprint: event.fingerprint,
    source: event.source.name,
    eventId: clip('eventId', event.eventId),
    type: event.type,
    status: event.to.length === 0 ? 'ignored' : 'claimed',
    generation: 0,
    edition: 0,
    fence,
    leaseUntil,
    firstSeenAt: now,
    claimedAt: now,
    updatedAt: now,
    attempts: 0,
    lastError: null,
    ignoredBecause: event.to.length === 0 ? UNWANTED : null,
    bodySha256: event.bodySha256,
    bodySize: event.body.length,
    bodySigned: event.source.bodySigned,
    bodyAt: event.bodyAt,
    guard: event.guard,
    correlationId: event.correlationId,
    mac: true,
    expiresAt: plus(toSeconds(now), event.source.memory),
    to: event.to,
    copyOf: null,
    madeBy: null,
  }
  // Spread into the object above, it would make V8 build each record attribute by attribute.
  return event.via ? { ...record, via: event.via } : record
}

const UNWANTED = 'no route matches'

const duplicate = (event: Kept, existing: EventRecord): Ending<'duplicate'> => ({
  outcome: 'duplicate',
  id: existing.fingerprint,
  eventId: event.eventId,
  bodyChanged: hasOtherBody(event, existing),
  ...(existing.to.length === 0 && { ignored: true }),
  expiresAt: existing.expiresAt,
})

const hasOtherBody = (event: Kept, existing: EventRecord): boolean => existing.bodySha256 !== event.bodySha256

const inFlight = (event: Kept): Ending<'in-flight'> => ({
  outcome: 'in-flight',
  id: event.fingerprint,
  eventId: event.eventId,
  status: event.source.inFlightStatus,
})
