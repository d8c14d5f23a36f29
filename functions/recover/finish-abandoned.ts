import { failRemoved } from '../accept/fail-removed.ts'
import { type Forwarding, forward } from '../accept/forward.ts'
import { reroute } from '../accept/reroute.ts'
import { restore } from '../accept/restore.ts'
import { settle } from '../accept/settle.ts'
import { takeOver } from '../accept/take-over.ts'
import type { Kept } from '../domain/evidence.ts'
import { causeOf } from '../domain/fault.ts'
import { BodyDamaged } from '../domain/kept-body.ts'
import { ended, whyEnded } from '../domain/outcome.ts'
import type { Unavailable } from '../domain/ports.ts'
import { type EventRecord, isAbandoned } from '../domain/record.ts'
import { DEPLOYING_MS } from '../domain/removed.ts'
import type { World } from '../domain/world.ts'

export type Recovery =
  /** Taken over, forwarded and settled. */
  | 'recovered'
  /** Its sender's next try finishes it, because its body is not stored or its destination was removed; or that may only be new, which the pass an hour later sees. */
  | 'waiting'
  /** Its destination was removed, and no route of today wants it: it has failed, with its body kept. */
  | 'lost'
  /** Nothing to do, or somebody else is at it. */
  | 'fine'
  /** The store or the queue did not answer: seen again by the next pass. */
  | 'unavailable'

/** Its body is there, and cannot be read: no permission, no key, damaged, or nobody answered. */
export interface Unreadable {
  readonly seen: EventRecord
  readonly why: string
  /** No outage: its own bytes are not what they were. */
  readonly damaged: boolean
}

/** To take an event over and finish it. */
export type Finishing = Forwarding & World<'sources' | 'keptBodies' | 'failures' | 'newFence' | 'leaseMillis'>

/** An event whose receiver died after the claim is finished here, with no help from its sender. */
export const finishAbandoned = async (
  world: Finishing,
  seen: EventRecord,
): Promise<Recovery | Unreadable | Unavailable> => {
  const now = world.now()
  if (!isAbandoned(seen, now)) return 'fine'
  const kept = await restore(world, seen).catch((error): Unreadable => unreadable(seen, error))
  if (!kept) return 'waiting'
  if ('why' in kept) return kept
  const known = await world.queue.leadsTo(seen.to)
  if (!known && now - seen.claimedAt < DEPLOYING_MS) return 'waiting'
  const to = known ? undefined : today(kept, seen)
  if (to?.length === 0) return giveUp(world, kept, seen)
  const taken = await takeOver(world, kept, seen, to)
  if (taken === undefined) return 'fine'
  if (ended(taken)) return { kind: 'unavailable', cause: whyEnded(taken) }
  const forwarded = await forward(world, taken)
  if (ended(forwarded)) return { kind: 'unavailable', cause: whyEnded(forwarded) }
  await settle(world, forwarded)
  return 'recovered'
}

/** A claim may never have been acknowledged: if a resend would not reopen it, it has to stay one that can be taken over. */
const giveUp = async (world: Finishing, { source }: Kept, seen: EventRecord): Promise<Recovery> => {
  if (seen.copyOf === null && !source.reopens) return 'waiting'
  return (await failRemoved(world, seen)).kind === 'unavailable' ? 'unavailable' : 'lost'
}

/** Nobody has it yet: it goes where it would go if it came now. A copy is for the one destination that it was made for. */
const today = (kept: Kept, { copyOf }: EventRecord): readonly string[] => (copyOf === null ? reroute(kept) : [])

const unreadable = (seen: EventRecord, error: unknown): Unreadable => ({
  seen,
  why: causeOf(error),
  damaged: error instanceof BodyDamaged,
})
