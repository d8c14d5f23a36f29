import { randomUUID } from 'node:crypto'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { dynamodbClient } from '../../functions/adapters/sdk/clients.ts'
import { consume } from '../../functions/consume/consume.ts'
import type { Handler } from '../../functions/consume/handle.ts'

const TableName = process.env.KILL_EFFECTS_TABLE ?? ''
const dynamodb = dynamodbClient()

/**
 * Half of the events are committed with their effect under a key of its own, so that a second effect would be a second row;
 * the other half have their effect at a service that knows idempotency keys.
 */
const work: Handler = async (event, { commit }) => {
  const { id, eventId, generation, idempotencyKey } = event
  if (eventId.endsWith('commit')) {
    await commit([{ Put: { TableName, Item: { key: randomUUID(), id, generation } } }])
    return
  }
  try {
    const Item = { key: idempotencyKey, id, generation }
    const ConditionExpression = 'attribute_not_exists(#key)'
    await dynamodb.send(
      new PutCommand({ TableName, Item, ConditionExpression, ExpressionAttributeNames: { '#key': 'key' } }),
    )
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
  }
}

export const handler = consume(work)
