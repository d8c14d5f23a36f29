import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { type DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { EVENTS_TABLE, LISTING_SHARDS, listingPartition, listingPosition } from '../contract/tables.ts'
import type { ListingCursor } from '../domain/ports.ts'
import type { PassName, RecoveryStore } from '../domain/recovery.ts'
import { batchGet, type Entry } from './dynamodb-listing.ts'
import { fromItem, instantOf } from './dynamodb-record.ts'

const DAY_MS = 86_400_000

export const dynamodbRecovery = (client: DynamoDBDocumentClient, table: string): RecoveryStore => {
  const shard = async (partition: string, after: string, before: string, limit: number): Promise<Entry[]> => {
    const { Items } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: EVENTS_TABLE.listingIndex.name,
        KeyConditionExpression: 'listing = :partition AND claimedAt BETWEEN :after AND :before',
        ExpressionAttributeValues: { ':partition': partition, ':after': justAfter(after), ':before': before },
        Limit: limit,
      }),
    )
    return (Items ?? []) as unknown as Entry[]
  }

  const cursorKey = (pass: PassName) => ({ fingerprint: `recovery#${pass}` })

  return {
    async scan(after, until, limit) {
      const day = instantOf(after)
      const dayEnd = (Math.floor(day / DAY_MS) + 1) * DAY_MS
      const before = listingPosition(Math.min(until, dayEnd), '')
      const partitions = [...LISTING_SHARDS].map(name => listingPartition(day, name))
      const shards = await Promise.all(partitions.map(partition => shard(partition, after, before, limit)))
      // A shard that filled its page may hold more: nothing beyond its last entry is certain to be complete.
      const reached = shards
        .filter(entries => entries.length === limit)
        .map(entries => entries.at(-1)?.claimedAt ?? before)
        .reduce((first, last) => (last < first ? last : first), before)
      const entries = shards.flat().filter(entry => entry.claimedAt <= reached)
      const items = await batchGet(client, table, entries, { consistent: false })
      return { records: items.map(fromItem), reached }
    },

    async cursor(pass) {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: cursorKey(pass), ConsistentRead: true }),
      )
      return Item?.position as ListingCursor | undefined
    },

    async moveCursor(pass, to) {
      try {
        await client.send(
          new PutCommand({
            TableName: table,
            Item: { ...cursorKey(pass), position: to },
            ConditionExpression: 'attribute_not_exists(fingerprint) OR #position < :to',
            ExpressionAttributeNames: { '#position': 'position' },
            ExpressionAttributeValues: { ':to': to },
          }),
        )
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error
      }
    },
  }
}

/** Positions have one length: a longer string sorts after its beginning and before every other position. */
const justAfter = (position: ListingCursor): string => `${position}!`
