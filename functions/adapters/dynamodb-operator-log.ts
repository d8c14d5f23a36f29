import { listingPosition } from '../contract/tables.ts'
import { type Millis, millis } from '../domain/brands.ts'
import { getAll } from './dynamodb-get-all.ts'
import { type Entry, indexPage } from './index-page.ts'
import type { DynamoCalls, Item } from './wire/dynamo-calls.ts'

const DAY_MS = 86_400_000

/** Long enough for a yearly review; then DynamoDB deletes it. */
export const LOGGED_SECONDS = 400 * 86_400

/** Partitions of the listing index that no event lies in: those are `2026-11-16#a`. */
export type Log = 'audit' | 'job' | 'pause'

/** What makes an item of the events table appear in a log, and not among the events. */
export const logKeys = (log: Log, at: Millis, name: string): { listing: string; claimedAt: string } => ({
  listing: `${log}#${new Date(at).toISOString().slice(0, 10)}`,
  claimedAt: listingPosition(at, name),
})

/** The items of a log, newest first. Operators write little: one partition a day. */
export const readLog = async (
  dynamo: Pick<DynamoCalls, 'query' | 'batchGetItem'>,
  table: string,
  log: Log,
  { from, until, limit }: { readonly from: Millis; readonly until: Millis; readonly limit: number },
): Promise<Item[]> => {
  const entries: Entry[] = []
  const range = { from: listingPosition(from, ''), until: `${listingPosition(until, '')}~` }
  for (let day = until; dayOf(day) >= dayOf(from) && entries.length < limit; day = millis(day - DAY_MS)) {
    const page = { ScanIndexForward: false, Limit: limit - entries.length }
    entries.push(...(await indexPage(dynamo, table, logKeys(log, day, '').listing, range, page)).entries)
  }
  const items = await getAll(dynamo, table, entries, { consistent: true })
  const found = new Map(items.map(item => [String(item.fingerprint), item]))
  return entries.flatMap(({ fingerprint }): Item[] => [found.get(fingerprint)].filter(item => item !== undefined))
}

const dayOf = (instant: number): number => Math.floor(instant / DAY_MS)
