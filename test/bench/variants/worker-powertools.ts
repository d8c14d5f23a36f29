import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency'
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb'
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda'

const processor = new BatchProcessor(EventType.SQS)
const config = new IdempotencyConfig({ eventKeyJmesPath: 'messageId', throwOnNoIdempotencyKey: true })

/** What a user would pick instead of our worker: each message on its own, each event once. Its handler reads the body. */
const handleOnce = makeIdempotent(async (record: SQSRecord) => void JSON.parse(record.body), {
  persistenceStore: new DynamoDBPersistenceLayer({ tableName: 'events' }),
  config,
})

export const handler = async (event: SQSEvent, context: Context) => {
  config.registerLambdaContext(context)
  return processPartialResponse(event, handleOnce, processor, { context })
}
