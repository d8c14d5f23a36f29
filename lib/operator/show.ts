import { isUtf8 } from 'node:buffer'
import { type Fingerprint, iso, type Millis, toMillis } from '../../functions/domain/brands.ts'
import type { BodyStore, EventStore } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { type EventView, eventView } from './event-view.ts'

export interface EventDetail extends EventView {
  readonly claimedAt: string
  readonly leaseUntil: string
  readonly expiresAt: string
  readonly lastError: string | null
  readonly correlationId: string
  readonly bodySha256: string
  readonly bodySize: number
  /** False where the sender proves who it is, and not what it says. */
  readonly bodySigned: boolean
  readonly bodyAt: string | null
  /** The headers kept with the body. */
  readonly headers: Readonly<Record<string, string>>
  /** As text where it is text, else in base64; null when it is not kept. */
  readonly body: string | null
  readonly bodyEncoding: 'utf8' | 'base64' | null
  /** Where it is now, as a sentence. */
  readonly where: string
  /** Oldest first. */
  readonly timeline: readonly TimelineEntry[]
  /** What operators did with it, oldest first. */
  readonly audit: readonly AuditEntry[]
}

export interface Stores {
  readonly events: Pick<EventStore, 'read' | 'list'>
  readonly bodies: Pick<BodyStore, 'fetch'>
}

export interface Sought {
  /** The fingerprint, its first twelve characters or more, or the sender's own id. */
  readonly id: string
  readonly now: Millis
  /** How far back a sender's id is looked for. */
  readonly from: Millis
  readonly source?: string | undefined
}

/** `undefined` when no event that is still remembered has this id. */
export const show = async ({ events, bodies }: Stores, sought: Sought): Promise<EventDetail | undefined> => {
  const record = await find(events, sought)
  if (record === undefined) return undefined
  const { fingerprint, bodySha256, bodyAt } = record
  const kept = bodyAt === null ? undefined : await bodies.fetch(fingerprint, bodySha256, bodyAt, sought.now)
  return { ...detailOf(record), headers: kept?.headers ?? {}, ...textOf(kept?.bytes) }
}

const FINGERPRINT = /^[0-9a-f]{64}$/
/** As much of a fingerprint as a table shows. */
const BEGINNING = /^[0-9a-f]{12,63}$/
const PAGE = 500

const find = async (events: Stores['events'], { id, now, from, source }: Sought): Promise<EventRecord | undefined> => {
  if (FINGERPRINT.test(id)) {
    const record = await events.read(id as Fingerprint, now)
    if (record) return record
  }
  const isMeant = ({ eventId, fingerprint }: EventRecord): boolean =>
    eventId === id || (BEGINNING.test(id) && fingerprint.startsWith(id))
  // No index knows the sender's id: a write for each event would cost more than this rare walk.
  let after: string | null = null
  do {
    const page = await events.list({ limit: PAGE, now, from, ...(after !== null && { after }) })
    const found = page.records.find(record => isMeant(record) && (source === undefined || record.source === source))
    if (found) return found
    after = page.next
  } while (after !== null)
  return undefined
}

const detailOf = (record: EventRecord) => ({
  ...eventView(record),
  claimedAt: iso(record.claimedAt),
  leaseUntil: iso(record.leaseUntil),
  expiresAt: iso(toMillis(record.expiresAt)),
  lastError: record.lastError,
  correlationId: record.correlationId,
  bodySha256: record.bodySha256,
  bodySize: record.bodySize,
  bodySigned: record.bodySigned,
  bodyAt: record.bodyAt,
})

const textOf = (bytes: Uint8Array | undefined): Pick<EventDetail, 'body' | 'bodyEncoding'> => {
  if (bytes === undefined) return { body: null, bodyEncoding: null }
  const bodyEncoding = isUtf8(bytes) ? 'utf8' : 'base64'
  return { body: Buffer.from(bytes).toString(bodyEncoding), bodyEncoding }
}
