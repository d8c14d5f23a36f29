import type { Kept } from '../domain/evidence.ts'
import type { Ending } from '../domain/outcome.ts'
import type { EventRecord } from '../domain/record.ts'
import type { World } from '../domain/world.ts'
import { keepBody } from './keep.ts'
import type { Patience } from './patience.ts'

/** No route wants it, and its claim has said so. Its body is kept after that, for a replay under other routes. */
export const setAside = async (
  world: World<'events' | 'bodies' | 'now'>,
  event: Kept,
  record: EventRecord,
  patience: Patience,
): Promise<Ending<'ignored'>> => {
  const noted =
    event.source.retain === 'none' ||
    (!patience.isOver() && (await patience.wait(keepAndNote(world, event, record))) === true)
  return unwanted(event, record, !noted)
}

export const unwanted = ({ eventId }: Kept, record: EventRecord, bodyNotKept: boolean): Ending<'ignored'> => ({
  outcome: 'ignored',
  id: record.fingerprint,
  eventId,
  bodyNotKept,
  expiresAt: record.expiresAt,
})

const keepAndNote = async (
  world: World<'events' | 'bodies' | 'now'>,
  event: Kept,
  record: EventRecord,
): Promise<boolean> => {
  const kept = await keepBody(world, event)
  if (kept.kind === 'unavailable') return false
  const { bodySha256, bodySize, expiresAt } = record
  const settlement = { now: world.now(), expiresAt, bodySha256, bodySize, bodyAt: kept.at }
  return (await world.events.noteBody(record, settlement)).kind === 'moved'
}
