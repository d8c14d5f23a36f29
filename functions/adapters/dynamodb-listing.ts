import { EVENTS_TABLE, LISTING_SHARDS, listingPartition, listingPosition } from '../contract/tables.ts'
import { type Millis, millis, toSeconds } from '../domain/brands.ts'
import type { EventReads, ListingCursor } from '../domain/ports.ts'
import { type EventRecord, isExpired } from '../domain/record.ts'
import { eventRead } from './dynamodb-events.ts'
import { getAll } from './dynamodb-get-all.ts'
import { fromItem, instantOf } from './event-items.ts'
import { keyCondition, type SortRange } from './expressions.ts'
import type { DynamoCalls, Query } from './wire/dynamo-calls.ts'

const DAY_MS = 86_400_000

type Dynamo = Pick<DynamoCalls, 'query' | 'batchGetItem'>

/** What the index holds of an event. */
export interface Entry {
  readonly fingerprint: string
  readonly claimedAt: string
}

/** One event, or a list of them. */
export const eventReads = (
  aws: { readonly dynamo: DynamoCalls },
  names: { readonly eventsTable: string },
): EventReads => ({ ...eventRead(aws, names), list: listing(aws.dynamo, names.eventsTable) })

/** Newest first: a day at a time, its sixteen shards side by side, then the records of the page in batches. */
const listing = (dynamo: Dynamo, table: string): EventReads['list'] => {
  const dayEntries = async (day: Millis, before: string, limit: number): Promise<Entry[]> => {
    const shards = await shardsOf(dynamo, table, day, { before }, { ScanIndexForward: false, Limit: limit })
    return shards
      .flat()
      .sort((left, right) => (left.claimedAt < right.claimedAt ? 1 : -1))
      .slice(0, limit)
  }

  const records = async (entries: readonly Entry[], now: Millis): Promise<EventRecord[]> => {
    const items = await getAll(dynamo, table, entries, { consistent: true })
    const found = new Map(items.map(item => [String(item.fingerprint), fromItem(item)]))
    return entries
      .map(entry => found.get(entry.fingerprint))
      .filter(
        // A copy is seen with its event.
        record => record !== undefined && record.copyOf === null && !isExpired(record, toSeconds(now)),
      ) as EventRecord[]
  }

  return async ({ limit, now, from, after }) => {
    const listed: EventRecord[] = []
    const oldest = listingPosition(from, '')
    let before: ListingCursor = after ?? NEWEST
    let day = after === undefined ? millis(now + CLOCK_SKEW_MS) : instantOf(after)
    while (dayStart(day) >= dayStart(from)) {
      const wanted = limit - listed.length
      const entries = await dayEntries(day, before, wanted)
      const page = entries.filter(entry => entry.claimedAt >= oldest)
      listed.push(...(await records(page, now)))
      const last = page.at(-1)
      if (last && page.length === wanted) {
        before = last.claimedAt
        if (listed.length === limit) return { records: listed, next: before }
      } else day = millis(dayStart(day) - 1)
    }
    return { records: listed, next: null }
  }
}

/** After every position: the latest claim may bear the time of a host whose clock is ahead. */
const NEWEST = '9999'
const CLOCK_SKEW_MS = 600_000

const dayStart = (instant: number): number => Math.floor(instant / DAY_MS) * DAY_MS

/** What the index has of a day, shard by shard. */
export const shardsOf = (
  dynamo: Dynamo,
  table: string,
  day: Millis,
  range: SortRange,
  page: Pick<Query, 'ScanIndexForward' | 'Limit'>,
): Promise<(readonly Entry[])[]> => {
  const partitions = listingPartition(day, '')
  return Promise.all([...LISTING_SHARDS].map(shard => indexEntries(dynamo, table, partitions + shard, range, page)))
}

/** One page of one partition of the index. */
export const indexEntries = async (
  dynamo: Pick<DynamoCalls, 'query'>,
  TableName: string,
  partition: string,
  range: SortRange,
  page: Pick<Query, 'ScanIndexForward' | 'Limit'>,
): Promise<readonly Entry[]> => {
  const { name, partitionKey, sortKey } = EVENTS_TABLE.listingIndex
  const condition = keyCondition([partitionKey.name, partition], [sortKey.name, range])
  const { items } = await dynamo.query({ TableName, IndexName: name, ...condition, ...page })
  return items as unknown as readonly Entry[]
}
