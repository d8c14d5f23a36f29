import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamodbClient, s3Client, sqsClient } from '../../functions/adapters/clients.ts'
import { openAws } from '../../functions/adapters/lean/aws.ts'
import type { Settings } from '../../functions/adapters/lean/caller.ts'
import { sdkDynamo } from '../../functions/adapters/sdk/dynamo.ts'
import { sdkObjects } from '../../functions/adapters/sdk/objects.ts'
import { sdkQueue } from '../../functions/adapters/sdk/queue.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import { createTable } from '../../lib/local/create-table.ts'

const CREDENTIALS = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }

/** Real SDK clients against an embedded engine. */
export const clientsFor = (endpoints: { dynamodb?: string; sqs?: string; s3?: string }, options: object = {}) => ({
  dynamodb: dynamodbClient({ ...CREDENTIALS, ...options, ...(endpoints.dynamodb && { endpoint: endpoints.dynamodb }) }),
  sqs: sqsClient({ ...CREDENTIALS, ...options, ...(endpoints.sqs && { endpoint: endpoints.sqs }) }),
  s3: s3Client({ ...CREDENTIALS, ...options, forcePathStyle: true, ...(endpoints.s3 && { endpoint: endpoints.s3 }) }),
})

export type EngineCalls = Pick<AwsCalls, 'dynamo' | 'queue' | 'objects'>

export interface EndpointUrls {
  readonly dynamodb?: string | undefined
  readonly sqs?: string | undefined
  readonly s3?: string | undefined
  readonly secrets?: string | undefined
}

/** Our own client against an embedded engine. */
export const leanCalls = (endpoints: EndpointUrls, settings: Partial<Settings> = {}): AwsCalls =>
  openAws({
    env: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
      AWS_ENDPOINT_URL_SQS: endpoints.sqs,
      AWS_ENDPOINT_URL_S3: endpoints.s3,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secrets,
    },
    ...settings,
  })

const sdkCalls = (
  endpoints: { dynamodb?: string; sqs?: string; s3?: string },
  { patience }: Pick<Partial<Settings>, 'patience'> = {},
): EngineCalls => {
  const { dynamodb, sqs, s3 } = clientsFor(
    endpoints,
    patience && {
      requestHandler: {
        connectionTimeout: patience.connect,
        requestTimeout: patience.answer,
        throwOnRequestTimeout: true,
      },
    },
  )
  return { dynamo: sdkDynamo(dynamodb), queue: sdkQueue(sqs), objects: sdkObjects(s3) }
}

/** What has to hold for both of them. */
export const CLIENTS = { lean: leanCalls, sdk: sdkCalls } as const

/** A new table of the given shape; the engine's own TTL stays off, since the tests bring their clock. */
export const freshTable = async (endpoint: string, shape: Parameters<typeof createTable>[2]): Promise<string> => {
  const name = `table-${randomUUID()}`
  await createTable(new DynamoDBClient({ ...CREDENTIALS, endpoint }), name, shape, false)
  return name
}
