import type { Forwarded } from '../domain/evidence.ts'
import type { Ending } from '../domain/outcome.ts'
import type { KeepAnswer, Settlement } from '../domain/ports.ts'
import type { World } from '../domain/world.ts'

/** The message is on the queue, so the answer is a 2xx whatever becomes of this write: the consumer repairs the record. */
export const settle = async (world: World<'events' | 'now'>, forwarded: Forwarded): Promise<Ending<'accepted'>> => {
  const settlement = {
    now: world.now(),
    expiresAt: forwarded.expiresAt,
    bodySha256: forwarded.bodySha256,
    bodySize: forwarded.body.length,
    bodyAt: forwarded.bodyAt,
  }
  const answer = await world.events.settle(forwarded.record, settlement)
  // A quick consumer has taken the event, or nobody knows: its record still has to know where the body is.
  const unsaid = answer.kind !== 'moved' && forwarded.bodyAt !== null
  if (unsaid) await world.events.noteBody(forwarded.record, settlement)
  // After the settle, which says that there is none. Nobody waits for it: the sender has waited long enough.
  if (forwarded.stillKeeping !== null) void noteLater(world, forwarded, settlement, forwarded.stillKeeping)
  return {
    outcome: 'accepted',
    id: forwarded.fingerprint,
    eventId: forwarded.eventId,
    reopened: forwarded.how === 'reopened',
    tookOver: forwarded.how === 'took-over',
    settle: answer.kind,
    bodyNotKept: forwarded.bodyNotKept,
    expiresAt: forwarded.expiresAt,
  }
}

/** A copy that came late is worth noting if the function still runs, or runs again, by then. */
const noteLater = async (
  world: World<'events'>,
  { record }: Forwarded,
  settlement: Settlement,
  keeping: Promise<KeepAnswer | null>,
): Promise<void> => {
  const kept = await keeping
  if (kept?.kind === 'kept') await world.events.noteBody(record, { ...settlement, bodyAt: kept.at })
}
