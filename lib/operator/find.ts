import type { Fingerprint, Millis } from '../../functions/domain/brands.ts'
import { bodyOwner } from '../../functions/domain/copies.ts'
import type { EventReads } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'

export interface Sought {
  /** The fingerprint, its first twelve characters or more, or the sender's own id. */
  readonly id: string
  readonly now: Millis
  /** How far back a sender's id is looked for. */
  readonly from: Millis
  readonly source?: string | undefined
  /** If the event is forgotten, a copy that is left of it. @default false */
  readonly copies?: boolean
}

const FINGERPRINT = /^[0-9a-f]{64}$/
/** As much of a fingerprint as a table shows. */
const BEGINNING = /^[0-9a-f]{12,63}$/
const PAGE = 500

const isFingerprint = (id: string): boolean => FINGERPRINT.test(id) || BEGINNING.test(id)

/** Of several events, the newest; `undefined` when none that is still remembered is meant. */
export const find = async (
  events: Pick<EventReads, 'read' | 'list'>,
  { id, now, from, source, copies = false }: Sought,
): Promise<EventRecord | undefined> => {
  const isOfSource = (record: EventRecord): boolean => source === undefined || record.source === source
  if (FINGERPRINT.test(id)) {
    const record = await events.read(id as Fingerprint, now)
    if (record && isOfSource(record)) return record
  }
  const isMeant = (record: EventRecord): boolean =>
    record.eventId === id || (isFingerprint(id) && bodyOwner(record).startsWith(id))
  // No index knows the sender's id: a write for each event would cost more than this rare walk.
  let after: string | null = null
  do {
    const page = await events.list({ limit: PAGE, now, from, copies, ...(after !== null && { after }) })
    const found = page.records.find(record => isMeant(record) && isOfSource(record))
    if (found) return (found.copyOf && (await events.read(found.copyOf, now))) || found
    after = page.next
  } while (after !== null)
  return undefined
}
