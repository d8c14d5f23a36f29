import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency'
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { verified } from './verify.ts'

const sqs = new SQSClient({ useQueueUrlAsEndpoint: false })
const config = new IdempotencyConfig({ eventKeyJmesPath: 'id', throwOnNoIdempotencyKey: true })

/** What a user would pick instead: the SDK, and Powertools to let each event through once. */
const forwardOnce = makeIdempotent(
  async (_event: unknown, text: string) => {
    await sqs.send(new SendMessageCommand({ QueueUrl: process.env.HOOKLATCH_QUEUE_URL, MessageBody: text }))
    return { statusCode: 202 }
  },
  { persistenceStore: new DynamoDBPersistenceLayer({ tableName: 'events' }), config, dataIndexArgument: 0 },
)

export const handler = async (event: APIGatewayProxyEventV2, context: Context) => {
  const body = verified(event)
  if (!body) return { statusCode: 401 }
  config.registerLambdaContext(context)
  const text = body.toString('utf8')
  return forwardOnce(JSON.parse(text), text)
}
