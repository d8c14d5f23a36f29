import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency'
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { secretOf } from './secret.ts'
import { verified } from './verify.ts'

const sqs = new SQSClient({ useQueueUrlAsEndpoint: false })
const config = new IdempotencyConfig({ eventKeyJmesPath: '"x-shopify-event-id"', throwOnNoIdempotencyKey: true })

/** What a user would pick instead: the SDK, and Powertools to let each event through once. */
const forwardOnce = makeIdempotent(
  async (_headers: APIGatewayProxyEventV2['headers'], text: string) => {
    await sqs.send(new SendMessageCommand({ QueueUrl: process.env.HOOKLATCH_QUEUE_URL, MessageBody: text }))
    return { statusCode: 202 }
  },
  { persistenceStore: new DynamoDBPersistenceLayer({ tableName: 'events' }), config, dataIndexArgument: 0 },
)

export const handler = async (event: APIGatewayProxyEventV2, context: Context) => {
  const body = verified(event, await secretOf())
  if (!body) return { statusCode: 401 }
  config.registerLambdaContext(context)
  return forwardOnce(event.headers, body.toString('utf8'))
}
