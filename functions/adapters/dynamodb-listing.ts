import { BatchGetCommand, type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { EVENTS_TABLE, LISTING_SHARDS, listingPartition, listingPosition } from '../contract/tables.ts'
import { type Millis, millis, toSeconds } from '../domain/brands.ts'
import type { EventStore, ListingCursor } from '../domain/ports.ts'
import { type EventRecord, isExpired } from '../domain/record.ts'
import { fromItem, type Item, instantOf } from './dynamodb-record.ts'

const DAY_MS = 86_400_000
const BATCH_GET_LIMIT = 100

/** What the index holds of an event. */
export interface Entry {
  readonly fingerprint: string
  readonly claimedAt: string
}

/** Newest first: a day at a time, its sixteen shards side by side, then the records of the page in batches. */
export const dynamodbListing = (client: DynamoDBDocumentClient, table: string): EventStore['list'] => {
  const shardEntries = async (partition: string, before: string, limit: number): Promise<Entry[]> => {
    const { Items } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: EVENTS_TABLE.listingIndex.name,
        KeyConditionExpression: 'listing = :partition AND claimedAt < :before',
        ExpressionAttributeValues: { ':partition': partition, ':before': before },
        ScanIndexForward: false,
        Limit: limit,
      }),
    )
    return (Items ?? []) as unknown as Entry[]
  }

  const dayEntries = async (day: Millis, before: string, limit: number): Promise<Entry[]> => {
    const partitions = [...LISTING_SHARDS].map(shard => listingPartition(day, shard))
    const shards = await Promise.all(partitions.map(partition => shardEntries(partition, before, limit)))
    return shards
      .flat()
      .sort((left, right) => (left.claimedAt < right.claimedAt ? 1 : -1))
      .slice(0, limit)
  }

  const records = async (entries: readonly Entry[], now: Millis): Promise<EventRecord[]> => {
    const items = await batchGet(client, table, entries, { consistent: true })
    const found = new Map(items.map(item => [String(item.fingerprint), fromItem(item)]))
    return entries
      .map(entry => found.get(entry.fingerprint))
      .filter(record => record !== undefined && !isExpired(record, toSeconds(now))) as EventRecord[]
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

/** Any number of keys, a hundred at a time; absent ones are left out. */
export const batchGet = async (
  client: DynamoDBDocumentClient,
  table: string,
  entries: readonly Entry[],
  { consistent }: { readonly consistent: boolean },
): Promise<Item[]> => {
  const items: Item[] = []
  // An event that was just taken over may stand in the index twice, and asking for a key twice is an error.
  let keys: Item[] = [...new Set(entries.map(entry => entry.fingerprint))].map(fingerprint => ({ fingerprint }))
  while (keys.length > 0) {
    const Keys = keys.slice(0, BATCH_GET_LIMIT)
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys, ConsistentRead: consistent } } }),
    )
    items.push(...(Responses?.[table] ?? []))
    keys = [...(UnprocessedKeys?.[table]?.Keys ?? []), ...keys.slice(BATCH_GET_LIMIT)]
  }
  return items
}
