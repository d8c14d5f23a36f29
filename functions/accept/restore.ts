import { bodyOwner } from '../domain/copies.ts'
import type { Kept } from '../domain/evidence.ts'
import type { EventRecord } from '../domain/record.ts'
import type { World } from '../domain/world.ts'

type Restoring = World<'sources' | 'keptBodies' | 'now'>

/**
 * The event as its receiver had it, from its record and its kept body; `undefined` when its body or its source is gone. A body that
 * is there and cannot be read is thrown.
 */
export const restore = async (world: Restoring, record: EventRecord): Promise<Kept | undefined> => {
  const { fingerprint, bodySha256, bodyAt, copyOf } = record
  const source = world.sources.get(record.source)
  const kept =
    bodyAt === null ? undefined : await world.keptBodies.fetch(bodyOwner(record), bodySha256, bodyAt, world.now())
  if (!source || !kept) return undefined
  return {
    source,
    fingerprint,
    guard: null,
    eventId: kept.eventId,
    type: record.type,
    headers: kept.headers,
    // A source that is no longer ordered has no ordered queue.
    ordering: source.ordering && kept.ordering,
    to: record.to,
    ...(copyOf !== null && { copyOf }),
    body: kept.bytes,
    bodySha256,
    bodyAt,
    receivedAt: record.firstSeenAt,
    correlationId: record.correlationId,
    trace: {},
    ...(record.via && { via: record.via }),
  } as unknown as Kept
}
