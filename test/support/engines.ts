import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamodbClient, s3Client, sqsClient } from '../../functions/adapters/clients.ts'
import { createTable } from '../../lib/local/create-table.ts'

const CREDENTIALS = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }

/** Real SDK clients against an embedded engine. */
export const clientsFor = (endpoints: { dynamodb?: string; sqs?: string; s3?: string }) => ({
  dynamodb: dynamodbClient({ ...CREDENTIALS, ...(endpoints.dynamodb && { endpoint: endpoints.dynamodb }) }),
  sqs: sqsClient({ ...CREDENTIALS, ...(endpoints.sqs && { endpoint: endpoints.sqs }) }),
  s3: s3Client({ ...CREDENTIALS, forcePathStyle: true, ...(endpoints.s3 && { endpoint: endpoints.s3 }) }),
})

/** A new table of the given shape; the engine's own TTL stays off, since the tests bring their clock. */
export const freshTable = async (endpoint: string, shape: Parameters<typeof createTable>[2]): Promise<string> => {
  const name = `table-${randomUUID()}`
  await createTable(new DynamoDBClient({ ...CREDENTIALS, endpoint }), name, shape, false)
  return name
}
