import { isOver, type Status } from '../contract/status.ts'
import { type Fingerprint, iso, millis } from '../domain/brands.ts'
import { copiesOf } from '../domain/copies-of.ts'
import { causeOf } from '../domain/fault.ts'
import type { EventRecord } from '../domain/record.ts'
import type { Act } from '../domain/replay.ts'
import type { World } from '../domain/world.ts'
import { type Forgetting, forgetDeliveries } from './forget-deliveries.ts'

export interface Erase extends Act {
  readonly id: Fingerprint
}

export type EraseAnswer =
  /** `already-erased`: by somebody before; what was left of it, if anything, is gone now. */
  | {
      readonly kind: 'erased' | 'already-erased'
      readonly id: string
      readonly eventId: string
      readonly source: string
      readonly at: string
      /** Kept bodies that were overwritten, older ones included. */
      readonly bodies: number
      /** Captured deliveries of it that were overwritten. */
      readonly deliveries: number
      /** Of its destinations. */
      readonly copies: number
    }
  | { readonly kind: 'unknown' }
  /** A message of it holds its body: erase it when it has ended. */
  | { readonly kind: 'in-flight'; readonly id: string; readonly status: Status }
  | { readonly kind: 'unavailable'; readonly cause: string }

export type Erasing = Forgetting & World<'records' | 'replays' | 'erasures' | 'newFence' | 'pause'>

const CONTENDED_TRIES = 5
const CONTENDED_PAUSE = millis(50)

/**
 * The flow: an event that is over is marked, with reason and actor in the same write, and from then on nothing can begin it or keep a
 * body for it; then what was kept is overwritten. Whoever dies in between leaves a mark, and the next erasure does the rest.
 */
export const erase = async (world: Erasing, asked: Erase): Promise<EraseAnswer> => {
  try {
    for (let tries = 1; tries <= CONTENDED_TRIES; tries += 1) {
      const answer = await eraseAsSeen(world, asked)
      if (answer) return answer
      await world.pause(CONTENDED_PAUSE)
    }
    return { kind: 'unavailable', cause: 'another write of the same event is under way' }
  } catch (error) {
    return { kind: 'unavailable', cause: causeOf(error) }
  }
}

/** `undefined`: it was changed since it was seen. */
const eraseAsSeen = async (world: Erasing, asked: Erase): Promise<EraseAnswer | undefined> => {
  const seen = await world.records.read(asked.id, world.now())
  if (!seen) return { kind: 'unknown' }
  // A copy is erased with its event.
  if (seen.copyOf !== null) return eraseAsSeen(world, { ...asked, id: seen.copyOf })
  const copies = await everyCopyOf(world, seen)
  const busy = [seen, ...copies].find(({ status }) => !isOver(status))
  if (busy) return { kind: 'in-flight', id: seen.fingerprint, status: busy.status }
  if (seen.erasedAt !== undefined) return forget(world, seen, copies, 'already-erased', asked)
  const by = { fence: world.newFence(), now: world.now() }
  const { actor, reason, job } = asked
  const marked = await world.erasures.mark(seen, copies, by, { actor, reason, job })
  if (marked.kind === 'unavailable') return marked
  if (marked.kind !== 'moved') return undefined
  return forget(world, { ...seen, erasedAt: by.now }, copies, 'erased', asked)
}

/** An earlier generation may have gone to other destinations. */
const everyCopyOf = async (world: Erasing, seen: EventRecord): Promise<readonly EventRecord[]> => {
  const earlier = (await replaysOf(world, seen)).flatMap(({ before }) => before?.to ?? [])
  return copiesOf(world.records, { ...seen, to: [...new Set([...seen.to, ...earlier])] }, world.now())
}

/** Who began each of its generations, and how the one before it ended. */
const replaysOf = ({ replays }: Erasing, { fingerprint, generation }: EventRecord) =>
  replays.audits(
    fingerprint,
    Array.from({ length: generation }, (_, index) => index + 1),
  )

const forget = async (
  world: Erasing,
  record: EventRecord,
  copies: readonly EventRecord[],
  kind: 'erased' | 'already-erased',
  { job }: Erase,
): Promise<EraseAnswer> => {
  const { fingerprint: id, eventId, source, erasedAt = world.now() } = record
  const bodies = await world.erasures.forgetBodies(record)
  for (const each of [record, ...copies]) await world.erasures.forgetSaid(await replaysOf(world, each))
  // A job looks at those of its source once, when it has had every event.
  const deliveries = job === null ? await forgetDeliveries(world, source, delivery => delivery.id === id) : 0
  return { kind, id, eventId, source, at: iso(erasedAt), bodies, deliveries, copies: copies.length }
}
