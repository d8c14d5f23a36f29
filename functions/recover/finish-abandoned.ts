import { plus } from '../domain/brands.ts'
import { ended } from '../domain/outcome.ts'
import { type EventRecord, isAbandoned } from '../domain/record.ts'
import type { Claimed } from '../domain/stages.ts'
import { forward } from '../receive/forward.ts'
import { settle } from '../receive/settle.ts'
import { restore } from './restore.ts'
import type { RecoverWorld } from './world.ts'

export type Recovery =
  /** Taken over, forwarded and settled. */
  | 'recovered'
  /** Its body is not stored: its sender's next try finishes it. */
  | 'waiting'
  /** Nothing to do, or somebody else is at it. */
  | 'fine'
  /** The store, the queue or the bodies did not answer: seen again by the next pass. */
  | 'unavailable'

/** An event whose receiver died after the claim is finished here, with no help from its sender. */
export const finishAbandoned = async (world: RecoverWorld, seen: EventRecord): Promise<Recovery> => {
  const now = world.now()
  if (!isAbandoned(seen, now)) return 'fine'
  const kept = await restore(world, seen)
  if (!kept) return 'waiting'
  const by = { fence: world.newFence(), now, leaseUntil: plus(now, world.leaseMillis) }
  const taken = await world.events.takeOver(seen, by)
  if (taken.kind !== 'owned') return taken.kind === 'superseded' ? 'fine' : 'unavailable'
  const claimed = { ...kept, record: taken.record, how: 'took-over' } as Claimed
  const forwarded = await forward(world, claimed)
  if (ended(forwarded)) return 'unavailable'
  await settle(world, forwarded)
  return 'recovered'
}
