import type { EventRecord } from '../domain/record.ts'
import type { Kept } from '../domain/stages.ts'
import type { RecoverWorld } from './world.ts'

/** The event as its receiver had it, from its record and its kept body; `undefined` when its body or its source is gone. */
export const restore = async (world: RecoverWorld, record: EventRecord): Promise<Kept | undefined> => {
  const source = world.sources.get(record.source)
  const kept =
    record.bodyAt === null
      ? undefined
      : await world.bodies.fetch(record.fingerprint, record.bodySha256, record.bodyAt, world.now())
  if (!source || !kept) return undefined
  return {
    source,
    fingerprint: record.fingerprint,
    guard: null,
    eventId: kept.eventId,
    type: record.type,
    headers: kept.headers,
    // A source that is no longer ordered has no ordered queue.
    ordering: source.ordering && kept.ordering,
    body: kept.bytes,
    bodySha256: record.bodySha256,
    bodyAt: record.bodyAt,
    receivedAt: record.firstSeenAt,
    correlationId: record.correlationId,
    trace: {},
  } as unknown as Kept
}
