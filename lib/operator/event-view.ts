import { iso } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'

/** An event as operators see it, in the CLI, the console and `--json`. */
export type EventView = Readonly<ReturnType<typeof eventView>>

export const eventView = (record: EventRecord) => ({
  id: record.fingerprint,
  eventId: record.eventId,
  source: record.source,
  type: record.type,
  status: record.status,
  /** Null for none, and for several. */
  destination: record.to.length === 1 ? (record.to[0] ?? null) : null,
  generation: record.generation,
  attempts: record.attempts,
  firstSeenAt: iso(record.firstSeenAt),
  updatedAt: iso(record.updatedAt),
  /** How it came, if not as a delivery: `reconcile`, from its sender's own list. */
  via: record.via ?? null,
})
