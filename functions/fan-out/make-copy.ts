import { claimed } from '../accept/claimed.ts'
import { failRemoved } from '../accept/fail-removed.ts'
import { forward } from '../accept/forward.ts'
import { ownership } from '../accept/ownership.ts'
import { settle } from '../accept/settle.ts'
import { takeOver } from '../accept/take-over.ts'
import { isOver } from '../contract/status.ts'
import { plus, toSeconds } from '../domain/brands.ts'
import { copyId, makingOf } from '../domain/copies.ts'
import { TryLater } from '../domain/event.ts'
import type { Claimed, Identified, Kept } from '../domain/evidence.ts'
import { ended } from '../domain/outcome.ts'
import type { KeyStore } from '../domain/ports.ts'
import { type BodyPlace, clip, type EventRecord, isAbandoned } from '../domain/record.ts'
import { DEPLOYING_MS } from '../domain/removed.ts'
import type { Accepting, World } from '../domain/world.ts'

/** To claim a copy of an event for each of its destinations, forward and settle it. */
export interface FanningOut extends Accepting, World<'copies' | 'sources' | 'failures'> {
  readonly secrets: KeyStore
}

type Whole = Identified & { readonly bodyAt: BodyPlace }

/** The copy of an event for one destination is on its way, by us or by who was here before; else it throws, to be tried again. */
export const makeCopy = async (world: FanningOut, whole: Whole, of: EventRecord, to: string): Promise<void> => {
  const event = { ...whole, fingerprint: copyId(of.fingerprint, to), to: [to] } as unknown as Kept
  // Whoever wakes after its time may have another behind it, and the event may have been erased since.
  if (world.now() >= of.leaseUntil) throw new Error(`there is no time left to make the copy for ${to}`)
  const copy = newCopy(world, event, of)
  const answer = await world.claims.claim(copy)
  if (answer.kind === 'won') return send(world, claimed(event, answer.record, 'claimed'), of)
  if (answer.kind !== 'lost') throw new Error(`the copy for ${to} could not be claimed`)
  const ours = await meet(world, event, answer.existing, copy)
  if (ours) await send(world, ours, of)
}

/** Its first and its last: a generation of the event, in one life of it. */
const isSameMaking = (existing: EventRecord, copy: EventRecord): boolean =>
  existing.firstSeenAt === copy.firstSeenAt && existing.madeBy === copy.madeBy

/**
 * By a later generation of the event, or by one that failed before it had made them all: what of those is done or on its way stays so.
 * Only the replay of an event that was done, which is its next edition, begins them anew.
 */
const isMadeAlready = (existing: EventRecord, copy: EventRecord): boolean =>
  existing.firstSeenAt === copy.firstSeenAt &&
  ((existing.madeBy ?? 0) > (copy.madeBy ?? 0) ||
    ((existing.madeIn ?? 0) === (copy.madeIn ?? 0) && existing.status !== 'failed' && existing.status !== 'claimed'))

/** `undefined`: nothing is left to do. */
const meet = async (
  world: FanningOut,
  event: Kept,
  existing: EventRecord,
  copy: EventRecord,
): Promise<Claimed | undefined> => {
  const abandoned = isAbandoned(existing, world.now())
  if (isSameMaking(existing, copy)) {
    if (existing.status !== 'claimed') return leave(world, existing, copy)
    if (!abandoned) throw new TryLater(`the copy for ${copy.to} is being sent`, BEING_SENT_SECONDS)
    const taken = await takeOver(world, event, existing)
    if (taken === undefined || ended(taken)) throw new Error(`the copy for ${copy.to} could not be taken over`)
    return taken
  }
  if (isMadeAlready(existing, copy)) return leave(world, existing, copy)
  if (!isOver(existing.status) && !abandoned) throw new Error(`the copy for ${copy.to} is still ${existing.status}`)
  const by = ownership(world)
  // From now on, and not since the claim that met it: its answer may have taken long.
  const expiresAt = plus(toSeconds(by.now), event.source.memory)
  const begun = await world.copies.beginAnew(existing, by, { ...copy, expiresAt })
  if (begun.kind !== 'owned') throw new Error(`the copy for ${copy.to} could not be begun anew`)
  return claimed(event, begun.record, 'reopened')
}

/** What is over stays so as long as its event can be tried again. */
const leave = async (world: FanningOut, existing: EventRecord, { expiresAt, to }: EventRecord): Promise<undefined> => {
  if (existing.status !== 'done' && existing.status !== 'ignored') return undefined
  const { kind } = await world.copies.outlast(existing, expiresAt)
  if (kind === 'unavailable') throw new Error(`the copy for ${to} may be forgotten too soon`)
}

/** As long as a claim's lease: then it is there, or can be taken over. */
const BEING_SENT_SECONDS = 15

/** Ten times within a deployment, and sooner than recovery would look after the copy. */
export const DEPLOYING_SECONDS = 90

const send = async (world: FanningOut, copy: Claimed, { claimedAt }: EventRecord): Promise<void> => {
  const forwarded = await forward(world, copy)
  if (!ended(forwarded)) {
    await settle(world, forwarded)
    return
  }
  if (forwarded.reason === 'destination') {
    // The receiver may know a destination a moment before this function does.
    if (world.now() - claimedAt < DEPLOYING_MS)
      throw new TryLater(`the destination ${copy.to} is not known here`, DEPLOYING_SECONDS)
    // It is the copy that has failed: the others are on their way, and so is the event.
    if ((await failRemoved(world, copy.record)).kind === 'moved') return
  }
  throw new Error(`the copy for ${copy.to} could not be sent: ${forwarded.cause}`)
}

const newCopy = (world: FanningOut, event: Kept, of: EventRecord): EventRecord => {
  const { fence, now, leaseUntil } = ownership(world)
  return {
    fingerprint: event.fingerprint,
    source: of.source,
    eventId: clip('eventId', event.eventId),
    type: event.type === null ? null : clip('type', event.type),
    status: 'claimed',
    generation: 0,
    edition: 0,
    fence,
    leaseUntil,
    firstSeenAt: of.firstSeenAt,
    claimedAt: now,
    updatedAt: now,
    attempts: 0,
    lastError: null,
    ignoredBecause: null,
    bodySha256: event.bodySha256,
    bodySize: event.body.length,
    bodySigned: of.bodySigned,
    bodyAt: event.bodyAt,
    guard: null,
    correlationId: event.correlationId,
    mac: true,
    expiresAt: plus(toSeconds(now), event.source.memory),
    to: event.to,
    copyOf: of.fingerprint,
    ...makingOf(of),
  }
}
