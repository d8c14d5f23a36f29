import { listingPosition } from '../contract/tables.ts'
import { type Millis, millis, toSeconds } from '../domain/brands.ts'
import { dayBefore, earlierDay } from '../domain/event-days.ts'
import type { EventReads, ListingCursor } from '../domain/ports.ts'
import { type EventRecord, isExpired } from '../domain/record.ts'
import type { Walked } from '../domain/recovery.ts'
import { cursorOf } from './dynamodb-cursors.ts'
import { eventRead } from './dynamodb-events.ts'
import { getAll } from './dynamodb-get-all.ts'
import { fromItem, instantOf } from './event-items.ts'
import type { Entry } from './index-page.ts'
import { newestOfDay } from './newest-of-day.ts'
import type { DynamoCalls } from './wire/dynamo-calls.ts'

/** One event, or a list of them. */
export const eventReads = (
  aws: { readonly dynamo: DynamoCalls },
  names: { readonly eventsTable: string },
): EventReads => ({ ...eventRead(aws, names), list: listing(aws.dynamo, names.eventsTable) })

/** Newest first: a day at a time, its sixteen shards side by side, then the records of the page in batches. */
const listing = (
  dynamo: Pick<DynamoCalls, 'query' | 'batchGetItem' | 'getItem'>,
  table: string,
): EventReads['list'] => {
  const records = async (entries: readonly Entry[], now: Millis, copies: boolean): Promise<EventRecord[]> => {
    const items = await getAll(dynamo, table, entries, { consistent: true })
    const found = new Map(items.map(item => [String(item.fingerprint), fromItem(item)]))
    return entries
      .map(entry => found.get(entry.fingerprint))
      .filter(
        // A copy is seen with its event.
        record => record !== undefined && (copies || record.copyOf === null) && !isExpired(record, toSeconds(now)),
      ) as EventRecord[]
  }

  /** Recovery knows on which days nothing was claimed: those are not asked for. */
  const stepsBack = (): ((day: Millis, from: Millis) => Promise<Millis>) => {
    let known: Promise<Walked | undefined> | undefined
    return async (day, from) => {
      if (dayBefore(day) < from) return millis(dayBefore(day))
      known ??= cursorOf(dynamo, table, 'late')
      const walked = await known
      return millis(earlierDay(day, walked?.days, walked?.position))
    }
  }

  return async ({ limit, now, from, after, copies = false }) => {
    const listed: EventRecord[] = []
    const stepBack = stepsBack()
    const oldest = listingPosition(from, '')
    let before: ListingCursor = after ?? NEWEST
    let day = after === undefined ? millis(now + CLOCK_SKEW_MS) : instantOf(after)
    // A day that ends before `from` has nothing to list.
    while (day >= from) {
      const wanted = limit - listed.length
      const page = (await newestOfDay(dynamo, table, day, before, wanted)).filter(entry => entry.claimedAt >= oldest)
      listed.push(...(await records(page, now, copies)))
      const last = page.at(-1)
      if (last && page.length === wanted) {
        before = last.claimedAt
        if (listed.length === limit) return { records: listed, next: before }
      } else day = await stepBack(day, from)
    }
    return { records: listed, next: null }
  }
}

/** After every position: the latest claim may bear the time of a host whose clock is ahead. */
const NEWEST = '9999'
const CLOCK_SKEW_MS = 600_000
