import { isOver, type Status } from '../contract/status.ts'
import { type Fingerprint, iso, type Millis, millis, toSeconds } from '../domain/brands.ts'
import { bodyOwner } from '../domain/copies.ts'
import { causeOf } from '../domain/fault.ts'
import type { EventRecord } from '../domain/record.ts'
import type { Act } from '../domain/replay.ts'
import type { World } from '../domain/world.ts'
import { allOfEvent, type Gathering, replaysOf } from './all-of-event.ts'
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

export type Erasing = Forgetting & Gathering & World<'erasures' | 'newFence' | 'pause'>

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
  const all = await allOfEvent(world, asked.id)
  const [first] = all
  if (!first) return { kind: 'unknown' }
  const busy = all.find(({ status }) => !isOver(status))
  if (busy) return { kind: 'in-flight', id: first.fingerprint, status: busy.status }
  const [seen, ...others] = all.filter(({ erasedAt }) => erasedAt === undefined)
  if (!seen) return forget(world, all, 'already-erased', first.erasedAt ?? world.now(), asked)
  const by = { fence: world.newFence(), now: world.now() }
  const { actor, reason, job } = asked
  const marked = await world.erasures.mark(seen, others, by, { actor, reason, job })
  if (marked.kind === 'unavailable') return marked
  if (marked.kind !== 'moved') return undefined
  return forget(world, all, 'erased', by.now, asked)
}

const forget = async (
  world: Erasing,
  all: readonly EventRecord[],
  kind: 'erased' | 'already-erased',
  at: Millis,
  { job }: Erase,
): Promise<EraseAnswer> => {
  const [first] = all as readonly [EventRecord]
  const { fingerprint: id, eventId, source, copyOf, madeBy } = first
  const event = bodyOwner(first)
  // A forgotten event may come anew at any time: then its body has to be kept, so what is left of the old one ends now.
  const expiresAt = copyOf === null ? first.expiresAt : toSeconds(at)
  const bodies = await world.erasures.forgetBodies({ fingerprint: event, expiresAt })
  // Its own replays are remembered for longer than a forgotten event is.
  const forgotten = copyOf === null ? [] : [{ fingerprint: copyOf, generation: madeBy ?? 0 }]
  for (const each of [...all, ...forgotten]) await world.erasures.forgetSaid(await replaysOf(world, each))
  // A job looks at those of its source once, when it has had every event.
  const deliveries = job === null ? await forgetDeliveries(world, source, delivery => delivery.id === event) : 0
  const copies = all.filter(each => each.copyOf !== null).length
  return { kind, id, eventId, source, at: iso(at), bodies, deliveries, copies }
}
