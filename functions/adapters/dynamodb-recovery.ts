import { listingPartitions, listingPosition } from '../contract/tables.ts'
import { answered } from '../domain/fault.ts'
import type { ListingCursor } from '../domain/ports.ts'
import { moveCursor, noteQueues, park } from '../domain/protocol.ts'
import type { KnownQueues, RecoveryStore } from '../domain/recovery.ts'
import { cursorKey, cursorOf } from './dynamodb-cursors.ts'
import { ownedBy } from './dynamodb-events.ts'
import { getAll } from './dynamodb-get-all.ts'
import { fromItem, instantOf } from './event-items.ts'
import { put, update } from './expressions.ts'
import { indexPage } from './index-page.ts'
import { moved } from './moved.ts'
import type { DynamoCalls } from './wire/dynamo-calls.ts'

const DAY_MS = 86_400_000

/** The listing as recovery walks it, and how far it has come. */
export const dynamodbRecovery = (
  { dynamo }: { readonly dynamo: Pick<DynamoCalls, 'query' | 'batchGetItem' | 'getItem' | 'putItem' | 'updateItem'> },
  { eventsTable: table }: { readonly eventsTable: string },
): RecoveryStore => ({
  async scan(after, until, limit) {
    const day = instantOf(after)
    const dayEnd = (Math.floor(day / DAY_MS) + 1) * DAY_MS
    const before = listingPosition(Math.min(until, dayEnd), '')
    const range = { from: justAfter(after), until: before }
    const shards = await Promise.all(
      listingPartitions(day).map(partition => indexPage(dynamo, table, partition, range, { Limit: limit })),
    )
    // A shard that filled its page may hold more: nothing beyond its last entry is certain to be complete.
    const reached = shards
      .filter(({ isLast }) => !isLast)
      .map(({ entries }) => entries.at(-1)?.claimedAt ?? before)
      .reduce((first, last) => (last < first ? last : first), before)
    const entries = shards.flatMap(shard => shard.entries).filter(entry => entry.claimedAt <= reached)
    const items = await getAll(dynamo, table, entries, { consistent: false })
    return { records: items.map(fromItem), reached }
  },

  cursor: pass => cursorOf(dynamo, table, pass),

  /** One that has come further stays. */
  async moveCursor(pass, position, days) {
    await dynamo.putItem(put(table, { ...cursorKey(pass), position, ...days }, moveCursor, { position }))
  },

  async park(seen, by, lastError) {
    const said = { ...ownedBy(seen, by), seenFence: seen.fence, lastError }
    return moved(await answered(dynamo.updateItem(update(table, { fingerprint: seen.fingerprint }, park, said))))
  },

  async queues() {
    const item = await dynamo.getItem({ TableName: table, Key: QUEUES_KEY, ConsistentRead: true })
    return (item?.queues ?? {}) as KnownQueues
  },

  async noteQueues(queues, at) {
    await dynamo.putItem(put(table, { ...QUEUES_KEY, at, queues }, noteQueues, { at }))
  },
})

const QUEUES_KEY = { fingerprint: 'recovery#queues' }

/** Positions have one length: a longer string sorts after its beginning and before every other position. */
const justAfter = (position: ListingCursor): string => `${position}!`
