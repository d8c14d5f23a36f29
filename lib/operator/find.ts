import type { Fingerprint, Millis } from '../../functions/domain/brands.ts'
import type { EventReads } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'

export interface Sought {
  /** The fingerprint, its first twelve characters or more, or the sender's own id. */
  readonly id: string
  readonly now: Millis
  /** How far back a sender's id is looked for. */
  readonly from: Millis
  readonly source?: string | undefined
}

const FINGERPRINT = /^[0-9a-f]{64}$/
/** As much of a fingerprint as a table shows. */
const BEGINNING = /^[0-9a-f]{12,63}$/
const PAGE = 500

/** Of several events, the newest; `undefined` when none that is still remembered is meant. */
export const find = async (
  events: Pick<EventReads, 'read' | 'list'>,
  { id, now, from, source }: Sought,
): Promise<EventRecord | undefined> => {
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
