import { type DynamoDBDocumentClient, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { type Millis, toSeconds } from '../domain/brands.ts'
import type { DeliveryShelf, KeptDelivery } from '../domain/kept-delivery.ts'
import { type Packed, unpack } from '../domain/packing.ts'
import { isExpired } from '../domain/record.ts'
import type { Item } from './dynamodb-record.ts'
import { shelfKey, shelfPartition, shelfWriter } from './shelf-writer.ts'

export const dynamodbShelf = (client: DynamoDBDocumentClient, table: string): DeliveryShelf => ({
  ...shelfWriter(input => client.send(new UpdateCommand(input)), table),

  async list(shelf, source, from, now, limit) {
    const found: KeptDelivery[] = []
    let ExclusiveStartKey: Item | undefined
    do {
      const page = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'fingerprint = :shelf AND sha256 >= :from',
          ExpressionAttributeValues: { ':shelf': shelfPartition(shelf, source), ':from': new Date(from).toISOString() },
          ScanIndexForward: false,
          Limit: limit - found.length,
          ...(ExclusiveStartKey && { ExclusiveStartKey }),
        }),
      )
      found.push(...(page.Items ?? []).flatMap(item => alive(item, source, now)))
      ExclusiveStartKey = page.LastEvaluatedKey
    } while (ExclusiveStartKey && found.length < limit)
    return found
  },

  async fetch(shelf, source, key, now) {
    const { Item } = await client.send(
      new GetCommand({ TableName: table, Key: shelfKey(shelf, source, key), ConsistentRead: true }),
    )
    return Item && alive(Item, source, now)[0]
  },
})

const alive = (item: Item, source: string, now: Millis): KeptDelivery[] => {
  const { delivery, expiresAt, sha256: key } = item as unknown as Stored
  if (isExpired({ expiresAt }, toSeconds(now))) return []
  return [{ ...JSON.parse(delivery), source, key, expiresAt, body: unpack(item as unknown as Packed) }]
}

type Stored = Pick<KeptDelivery, 'expiresAt'> & {
  readonly sha256: string
  /** In JSON: all of it but its body and what stands beside it. */
  readonly delivery: string
}
