import { claimed } from '../accept/claimed.ts'
import { type Forwarding, forward } from '../accept/forward.ts'
import { keepBody } from '../accept/keep.ts'
import { ownership } from '../accept/ownership.ts'
import { reroute } from '../accept/reroute.ts'
import { restore } from '../accept/restore.ts'
import { settle } from '../accept/settle.ts'
import { isOver, type Status } from '../contract/status.ts'
import { type Fingerprint, iso, type Millis, millis, plus, toSeconds } from '../domain/brands.ts'
import { bodyOwner, makingOf } from '../domain/copies.ts'
import { copiesOf, statusWith } from '../domain/copies-of.ts'
import type { Kept } from '../domain/evidence.ts'
import { causeOf } from '../domain/fault.ts'
import { BodyDamaged } from '../domain/kept-body.ts'
import { ended, whyEnded } from '../domain/outcome.ts'
import { type BodyPlace, type EventRecord, isAbandoned } from '../domain/record.ts'
import type { Act } from '../domain/replay.ts'
import type { World } from '../domain/world.ts'

export type ReplayAnswer =
  /** `queued: false`: recorded, and the queue did not answer; recovery forwards it within minutes. */
  | {
      readonly kind: 'replayed'
      readonly id: string
      readonly generation: number
      readonly queued: boolean
      /** Of an event with several, if not all of them were begun anew. */
      readonly destinations?: readonly string[]
      /** Why it is not queued. */
      readonly cause?: string
    }
  /** No such event, or no longer remembered. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'in-flight'; readonly id: string; readonly status: Status }
  /** Its body was never kept, or is kept no longer: its sender has to send it again. */
  | { readonly kind: 'no-body'; readonly id: string }
  /** An operator had it erased: nobody has its body, and it is never begun again. */
  | { readonly kind: 'erased'; readonly id: string; readonly at: string }
  /** It does not go there, or not there alone, or that destination was removed. */
  | { readonly kind: 'no-destination'; readonly id: string; readonly destination: string }
  /** No route of today wants it. */
  | { readonly kind: 'no-route'; readonly id: string; readonly source: string }
  /** Its source is not in sources.ts. */
  | { readonly kind: 'no-source'; readonly id: string; readonly source: string }
  /** By somebody else a moment ago; `by` is null when its sender was faster. */
  | {
      readonly kind: 'already-replayed'
      readonly id: string
      readonly generation: number
      readonly by: string | null
      readonly at: string | null
    }
  /** Of `redrive`; of `replay` if the one destination that is left is done with it. */
  | {
      readonly kind: 'not-failed'
      readonly id: string
      readonly status: Status
      readonly destinations?: readonly string[]
    }
  /** Nothing was recorded, as far as can be known. `unreadable`: it was its body that could not be read. */
  | { readonly kind: 'unavailable'; readonly cause: string; readonly unreadable?: true }

/** To begin an event anew, and then to forward and settle it. */
export type Replaying = Forwarding &
  World<'records' | 'replays' | 'sources' | 'keptBodies' | 'newFence' | 'leaseMillis'>

export interface Replay extends Act {
  readonly id: Fingerprint
  /** The generation the operator was shown, with `to` that of the copy; another one means that somebody was faster. */
  readonly generation?: number | undefined
  /** Nothing but a failed event. */
  readonly onlyFailed?: boolean
  /** Of several destinations, this one alone. */
  readonly to?: string | undefined
}

/** The same thing asked for twice by impatient hands, where nobody said which generation was meant. */
const DOUBLE_SUBMIT_MS = 3_000
const CONTENDED_TRIES = 5
const CONTENDED_PAUSE = millis(50)

/**
 * The flow: an event that is over or abandoned is restored from its stored body, begun anew with reason and actor in the same write,
 * forwarded and settled. Whoever dies after the beginning leaves the rest to recovery.
 */
export const replay = async (world: Replaying, asked: Replay): Promise<ReplayAnswer> => {
  try {
    const seen = await world.records.read(asked.id, world.now())
    if (!seen) return { kind: 'unknown' }
    if (seen.erasedAt !== undefined) return { kind: 'erased', id: seen.fingerprint, at: iso(seen.erasedAt) }
    const copies = await copiesOf(world.records, seen, world.now())
    const refused = await beforehand(world, seen, copies, asked)
    if (refused) return refused
    const kept = await restore(world, seen).catch(orUnreadable)
    if (kept && 'unreadable' in kept) return kept
    if (!kept) return world.sources.has(seen.source) ? { kind: 'no-body', id: seen.fingerprint } : noSource(seen)
    // A copy is for the one destination that it was made for.
    const to = seen.copyOf === null ? reroute(kept) : seen.to
    const misled = ledElsewhere(seen, to, asked)
    if (misled) return misled
    // It would go straight to a destination that has a copy of it already, and may be done with it.
    const there = seen.status === 'failed' && to.length === 1 && copies.find(copy => copy.to[0] === to[0])
    if (there) {
      const onlyFailed = asked.onlyFailed === true || isOver(there.status)
      return await replayCopies(world, seen, [there], { ...asked, to: to[0], onlyFailed, generation: undefined })
    }
    if (!(await world.queue.leadsTo(to)))
      return { kind: 'no-destination', id: seen.fingerprint, destination: to.join() }
    return await begin(world, await asMadeNow(world, seen), { ...kept, to }, asked)
  } catch (error) {
    return { kind: 'unavailable', cause: causeOf(error) }
  }
}

/** Nobody wants it today; or one destination was asked for that has no copy, and the event itself would go elsewhere, or elsewhere too. */
const ledElsewhere = (
  { fingerprint: id, source }: EventRecord,
  to: readonly string[],
  asked: Replay,
): ReplayAnswer | undefined => {
  if (to.length === 0) return { kind: 'no-route', id, source }
  const isElsewhere = asked.to !== undefined && to.join() !== asked.to
  return isElsewhere ? { kind: 'no-destination', id, destination: asked.to } : undefined
}

/** A copy is of what its event is today: whatever makes the rest of the copies later leaves this one as it is. */
const asMadeNow = async (world: Replaying, seen: EventRecord): Promise<EventRecord> => {
  const of = seen.copyOf === null ? undefined : await world.records.read(seen.copyOf, world.now())
  return of?.firstSeenAt === seen.firstSeenAt ? { ...seen, ...makingOf(of) } : seen
}

/** What is answered before the event itself is touched. */
const beforehand = async (
  world: Replaying,
  seen: EventRecord,
  copies: readonly EventRecord[],
  asked: Replay,
): Promise<ReplayAnswer | undefined> => {
  const { fingerprint: id, status, to } = seen
  if (asked.to !== undefined && !to.includes(asked.to)) return { kind: 'no-destination', id, destination: asked.to }
  const isOne = status === 'failed' && copies.some(copy => copy.to[0] === asked.to)
  const isOfDone = copies.length > 0 && status === 'done' && (asked.onlyFailed || asked.to !== undefined)
  if (isOne || isOfDone) return replayCopies(world, seen, copies, asked)
  return (await barrier(world, seen, asked)) ?? stillInFlight(world, seen, copies)
}

/** Each by itself: those that have failed, or the one for a destination, whose own generation is the one that was shown. */
const replayCopies = async (
  world: Replaying,
  seen: EventRecord,
  copies: readonly EventRecord[],
  { to, generation: shown, ...asked }: Replay,
): Promise<ReplayAnswer> => {
  const { fingerprint: id, generation } = seen
  if (to === undefined && shown !== undefined && shown !== generation) return alreadyReplayed(world, id, generation)
  const named = copies.filter(copy => to === undefined || copy.to[0] === to)
  const meant = named.filter(({ status }) => !asked.onlyFailed || status === 'failed')
  if (meant.length === 0) {
    return {
      kind: 'not-failed',
      id,
      status: statusWith({ ...seen, status: 'done' }, named),
      ...(to !== undefined && { destinations: [to] }),
    }
  }
  const answers = await Promise.all(
    meant.map(copy =>
      replay(world, { ...asked, id: copy.fingerprint, generation: to === undefined ? undefined : shown }),
    ),
  )
  const refused = answers.find(({ kind }) => kind !== 'replayed')
  if (refused) return refused
  const queued = answers.every(answer => 'queued' in answer && answer.queued)
  return { kind: 'replayed', id, generation, queued, destinations: meant.flatMap(copy => copy.to) }
}

/** A replay of an event that was done begins all of its copies anew. */
const stillInFlight = (
  world: Replaying,
  { fingerprint: id, status }: EventRecord,
  copies: readonly EventRecord[],
): ReplayAnswer | undefined => {
  const busy = status === 'done' && copies.find(copy => !canReplay(copy, world.now()))
  return busy ? { kind: 'in-flight', id, status: busy.status } : undefined
}

/** Why this event is not to be replayed, if so. */
const barrier = async (world: Replaying, seen: EventRecord, asked: Replay): Promise<ReplayAnswer | undefined> => {
  const { fingerprint: id, status, generation } = seen
  if (asked.job !== null && (await wasBegunBy(world, seen, asked.job))) return alreadyReplayed(world, id, generation)
  const isDouble = asked.generation === undefined ? await wasJustReplayed(world, seen) : asked.generation !== generation
  if (isDouble) return alreadyReplayed(world, id, generation)
  if (!canReplay(seen, world.now())) return { kind: 'in-flight', id, status }
  if (asked.onlyFailed && status !== 'failed') return { kind: 'not-failed', id, status }
  return undefined
}

/** Over, or abandoned by whoever claimed it. Whether its body is still kept is another question. */
export const canReplay = (record: EventRecord, now: Millis): boolean =>
  record.erasedAt === undefined && (isOver(record.status) || isAbandoned(record, now))

/** A damaged body is as good as none. */
const orUnreadable = (error: unknown) =>
  error instanceof BodyDamaged ? undefined : ({ kind: 'unavailable', cause: causeOf(error), unreadable: true } as const)

const wasJustReplayed = async (world: Replaying, { fingerprint, generation }: EventRecord): Promise<boolean> => {
  if (generation === 0) return false
  const [audit] = await world.replays.audits(fingerprint, [generation])
  return audit !== undefined && Math.abs(world.now() - audit.at) < DOUBLE_SUBMIT_MS
}

/** A clock that is behind puts what it replayed back into the job's own stretch. */
const wasBegunBy = async (
  world: Replaying,
  { fingerprint, generation }: EventRecord,
  job: string,
): Promise<boolean> => {
  if (generation === 0) return false
  const [audit] = await world.replays.audits(fingerprint, [generation])
  return audit?.job === job
}

const alreadyReplayed = async (world: Replaying, id: Fingerprint, generation: number): Promise<ReplayAnswer> => {
  const [audit] = generation === 0 ? [] : await world.replays.audits(id, [generation])
  return {
    kind: 'already-replayed',
    id,
    generation,
    by: audit?.actor ?? null,
    at: audit === undefined ? null : iso(audit.at),
  }
}

const noSource = ({ fingerprint, source }: EventRecord): ReplayAnswer => ({
  kind: 'no-source',
  id: fingerprint,
  source,
})

/** The body is kept first: it has to outlive the message that may point to it, and another replay. */
const begin = async (world: Replaying, seen: EventRecord, kept: Kept, asked: Replay): Promise<ReplayAnswer> => {
  const body = await keepBody(world, kept, { readAt: seen.bodyAt })
  if (body.kind === 'unavailable') return body
  const { actor, reason, job } = asked
  const by = ownership(world)
  const settlement = {
    now: by.now,
    expiresAt: plus(toSeconds(by.now), kept.source.memory),
    bodySha256: seen.bodySha256,
    bodySize: seen.bodySize,
    bodyAt: body.at,
  }
  for (let tries = 1; ; tries += 1) {
    const answer = await world.replays.begin(seen, by, { actor, reason, job }, settlement, kept.to)
    if (answer.kind === 'begun') return send(world, { ...kept, bodyAt: body.at }, answer.record)
    if (answer.kind === 'unavailable') return answer
    if (answer.kind === 'superseded' || tries === CONTENDED_TRIES) return overtaken(world, seen, body.at)
    await world.pause(CONTENDED_PAUSE)
  }
}

/** Begun is replayed: what cannot be sent now has its body stored, and recovery sends it. */
const send = async (world: Replaying, kept: Kept, record: EventRecord): Promise<ReplayAnswer> => {
  const { fingerprint: id, generation } = record
  try {
    const forwarded = await forward(world, claimed(kept, record, 'reopened'))
    if (ended(forwarded)) return { kind: 'replayed', id, generation, queued: false, cause: whyEnded(forwarded) }
    await settle(world, forwarded)
    return { kind: 'replayed', id, generation, queued: true }
  } catch (error) {
    return { kind: 'replayed', id, generation, queued: false, cause: causeOf(error) }
  }
}

/** Another operator, or its sender, was faster. */
const overtaken = async (world: Replaying, seen: EventRecord, keptAt: BodyPlace): Promise<ReplayAnswer> => {
  const current = await world.records.read(seen.fingerprint, world.now())
  if (!current) return { kind: 'unknown' }
  if (current.erasedAt !== undefined) {
    await world.bodies.discard(bodyOwner(seen), seen.bodySha256, keptAt, current.expiresAt)
    return { kind: 'erased', id: current.fingerprint, at: iso(current.erasedAt) }
  }
  return current.generation === seen.generation
    ? { kind: 'unavailable', cause: 'another write of the same event is under way' }
    : alreadyReplayed(world, current.fingerprint, current.generation)
}
