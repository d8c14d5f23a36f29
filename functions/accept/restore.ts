import type { Kept } from '../domain/evidence.ts'
import { BodyDamaged } from '../domain/kept-body.ts'
import type { KeptBody } from '../domain/ports.ts'
import type { EventRecord } from '../domain/record.ts'
import type { World } from '../domain/world.ts'

type Restoring = World<'sources' | 'keptBodies' | 'now'>

/** The event as its receiver had it, from its record and its kept body; `undefined` when its body or its source is gone. */
export const restore = async (world: Restoring, record: EventRecord): Promise<Kept | undefined> => {
  const source = world.sources.get(record.source)
  const kept = await keptBody(world, record)
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

/** A damaged body is as good as none: waiting for it to fix would hold up everybody behind it. */
const keptBody = async (world: Restoring, record: EventRecord): Promise<KeptBody | undefined> => {
  const { fingerprint, bodySha256, bodyAt } = record
  try {
    return bodyAt === null ? undefined : await world.keptBodies.fetch(fingerprint, bodySha256, bodyAt, world.now())
  } catch (error) {
    if (error instanceof BodyDamaged) return undefined
    throw error
  }
}
