import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { secretOf } from './secret.ts'
import { verified } from './verify.ts'

const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({}))
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false })

/** The same three calls, by hand with the SDK: claim, send, settle. */
export const handler = async (event: APIGatewayProxyEventV2) => {
  const body = verified(event, await secretOf())
  if (!body) return { statusCode: 401 }
  const id = event.headers['x-shopify-event-id']
  const TableName = 'events'
  try {
    const Item = { id, status: 'claimed', expiresAt: Math.floor(Date.now() / 1000) + 86_400 }
    const ConditionExpression = 'attribute_not_exists(id)'
    await dynamodb.send(new PutCommand({ TableName, Item, ConditionExpression }))
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { statusCode: 200 }
    throw error
  }
  await sqs.send(
    new SendMessageCommand({ QueueUrl: process.env.HOOKLATCH_QUEUE_URL, MessageBody: body.toString('utf8') }),
  )
  await dynamodb.send(
    new UpdateCommand({
      TableName,
      Key: { id },
      UpdateExpression: 'SET #status = :queued',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':queued': 'queued' },
    }),
  )
  return { statusCode: 202 }
}
