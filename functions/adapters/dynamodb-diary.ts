import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { EVENTS_TABLE, listingPosition } from '../contract/tables.ts'
import type { Millis } from '../domain/brands.ts'
import { batchGet, type Entry } from './dynamodb-listing.ts'
import type { Item } from './dynamodb-record.ts'

const DAY_MS = 86_400_000

/** Long enough for a yearly review; then DynamoDB deletes it. */
export const DIARY_SECONDS = 400 * 86_400

/** Partitions of the listing index that no event lies in: those are `2026-11-16#a`. */
export type Volume = 'audit' | 'job'

/** What makes an item of the events table appear in a volume, and not among the events. */
export const diaryKeys = (volume: Volume, at: Millis, name: string): { listing: string; claimedAt: string } => ({
  listing: `${volume}#${new Date(at).toISOString().slice(0, 10)}`,
  claimedAt: listingPosition(at, name),
})

/** The items of a volume, newest first. Operators write little: one partition a day. */
export const readDiary = async (
  client: DynamoDBDocumentClient,
  table: string,
  volume: Volume,
  { from, until, limit }: { readonly from: Millis; readonly until: Millis; readonly limit: number },
): Promise<Item[]> => {
  const entries: Entry[] = []
  for (let day = until; dayOf(day) >= dayOf(from) && entries.length < limit; day = (day - DAY_MS) as Millis) {
    const { Items } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: EVENTS_TABLE.listingIndex.name,
        KeyConditionExpression: 'listing = :volume AND claimedAt BETWEEN :from AND :until',
        ExpressionAttributeValues: {
          ':volume': diaryKeys(volume, day, '').listing,
          ':from': listingPosition(from, ''),
          ':until': `${listingPosition(until, '')}~`,
        },
        ScanIndexForward: false,
        Limit: limit - entries.length,
      }),
    )
    entries.push(...((Items ?? []) as unknown as Entry[]))
  }
  const items: Item[] = await batchGet(client, table, entries, { consistent: true })
  const found = new Map(items.map(item => [String(item.fingerprint), item]))
  return entries.flatMap(({ fingerprint }): Item[] => [found.get(fingerprint)].filter(item => item !== undefined))
}

const dayOf = (instant: number): number => Math.floor(instant / DAY_MS)
