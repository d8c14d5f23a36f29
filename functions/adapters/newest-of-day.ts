import { LISTING_SHARDS, listingPartition } from '../contract/tables.ts'
import type { Millis } from '../domain/brands.ts'
import type { ListingCursor } from '../domain/ports.ts'
import { type Entry, indexPage } from './index-page.ts'
import type { DynamoCalls } from './wire/dynamo-calls.ts'

/** A shard of a day, as far as it has been read. */
interface Read {
  readonly partition: string
  /** All that it has left is older than this. Null: nothing is left. */
  readonly before: ListingCursor | null
}

/** The newest entries of a day before a position, newest first. Every shard is asked for its share, and again if it may hold one that is missing. */
export const newestOfDay = async (
  dynamo: Pick<DynamoCalls, 'query'>,
  table: string,
  day: Millis,
  before: ListingCursor,
  wanted: number,
): Promise<readonly Entry[]> => {
  const page = { ScanIndexForward: false, Limit: shareOf(wanted) }
  let found: Entry[] = []
  let left: Read[] = [...LISTING_SHARDS].map(shard => ({ partition: listingPartition(day, shard), before }))
  while (left.length > 0) {
    const pages = await Promise.all(
      left.map(async ({ partition, before }) => {
        const { entries, isLast } = await indexPage(dynamo, table, partition, { before: before ?? '' }, page)
        return { partition, entries, before: isLast ? null : (entries.at(-1)?.claimedAt ?? null) }
      }),
    )
    found = [...found, ...pages.flatMap(({ entries }) => entries)].sort(newestFirst).slice(0, wanted)
    const oldest = found.length < wanted ? '' : (found.at(-1)?.claimedAt ?? '')
    left = pages.filter(({ before }) => before !== null && before > oldest)
  }
  return found
}

const newestFirst = (left: Entry, right: Entry): number => (left.claimedAt < right.claimedAt ? 1 : -1)

/** Of a page over sixteen shards that chance has filled: with three standard deviations more, one page in fifty has to ask a shard again. */
const shareOf = (wanted: number): number => {
  const mean = wanted / LISTING_SHARDS.length
  return Math.min(wanted, Math.ceil(mean + 3 * Math.sqrt(mean)))
}
