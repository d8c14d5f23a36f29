import { type Millis, millis } from '../../../functions/domain/brands.ts'
import { asSeen } from '../../../functions/domain/copies-of.ts'
import type { EventReads } from '../../../functions/domain/ports.ts'

const DAY_MS = 86_400_000
const PAGE = 500

/** Some seconds of reading. What failed within a day is rarely further back than this. */
const MOST_RECORDS = 5_000

/** An event may have waited this long before it failed. */
const CLAIMED_WITHIN_MS = 14 * DAY_MS

export interface StillFailed {
  /** How many of each source failed within the last day and are failed still. */
  readonly bySource: ReadonlyMap<string, number>
  /** False if there were more events than were read. */
  readonly complete: boolean
}

/** Metrics count what has been fixed since; the records know what is failed now. */
export const findFailed = async (
  records: Pick<EventReads, 'list' | 'read'>,
  now: Millis,
  most = MOST_RECORDS,
): Promise<StillFailed> => {
  const bySource = new Map<string, number>()
  let after: string | null = null
  let left = most
  do {
    const page = { limit: Math.min(PAGE, left), now, from: millis(now - CLAIMED_WITHIN_MS) }
    const found = await records.list({ ...page, ...(after !== null && { after }) })
    for (const { source, status, updatedAt } of await asSeen(records, found.records, now)) {
      if (status === 'failed' && updatedAt >= now - DAY_MS) bySource.set(source, (bySource.get(source) ?? 0) + 1)
    }
    left -= found.records.length
    after = found.next
  } while (after !== null && left > 0)
  return { bySource, complete: after === null }
}
