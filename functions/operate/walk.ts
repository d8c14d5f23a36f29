import { listingPosition } from '../contract/tables.ts'
import type { Millis } from '../domain/brands.ts'
import type { EventReads, ListingCursor } from '../domain/ports.ts'
import type { EventRecord } from '../domain/record.ts'

export interface Stretch {
  readonly from: Millis
  readonly until: Millis
  readonly now: Millis
  /** Where an earlier walk ended. */
  readonly after?: ListingCursor | null
  readonly page: number
  /** @default false */
  readonly copies?: boolean
}

/** The events of a stretch of time, newest first, a page at a time: memory stays flat however many there are. */
export async function* walk(
  store: Pick<EventReads, 'list'>,
  { from, until, now, after, page, copies = false }: Stretch,
): AsyncGenerator<{ readonly records: readonly EventRecord[]; readonly reached: ListingCursor | null }> {
  let cursor: ListingCursor | null = after ?? listingPosition(until, '')
  while (cursor !== null) {
    const { records, next } = await store.list({ limit: page, now, from, after: cursor, copies })
    // The index lags: an event that has moved on in the meantime is no longer of this stretch.
    yield { records: records.filter(({ claimedAt }) => claimedAt < until), reached: next }
    cursor = next
  }
}
