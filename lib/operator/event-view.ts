import { type Fingerprint, iso } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'

/** An event as operators see it, in the CLI, the console and `--json`. */
export interface EventView {
  readonly id: Fingerprint
  readonly eventId: string
  readonly source: string
  readonly type: string | null
  readonly status: EventRecord['status']
  /** Null for none, and for several. */
  readonly destination: string | null
  readonly generation: number
  readonly attempts: number
  readonly firstSeenAt: string
  readonly updatedAt: string
}

export const eventView = (record: EventRecord): EventView => ({
  id: record.fingerprint,
  eventId: record.eventId,
  source: record.source,
  type: record.type,
  status: record.status,
  destination: record.to.length === 1 ? (record.to[0] ?? null) : null,
  generation: record.generation,
  attempts: record.attempts,
  firstSeenAt: iso(record.firstSeenAt),
  updatedAt: iso(record.updatedAt),
})
