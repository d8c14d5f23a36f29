import { randomUUID } from 'node:crypto'
import type { Settings } from '../../functions/adapters/lean/caller.ts'
import { openAws as openLean } from '../../functions/adapters/lean/every-call.ts'
import { openAws as openSdk } from '../../functions/adapters/sdk/aws.ts'
import { dynamodbClient, s3Client, secretsClient, sqsClient } from '../../functions/adapters/sdk/clients.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import { localClients } from '../../lib/connect/local-clients.ts'
import { createTable } from '../../lib/local/create-table.ts'

const CREDENTIALS = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }

/** Real SDK clients against an embedded engine. */
export const clientsFor = (endpoints: EndpointUrls, options: object = {}) => ({
  dynamodb: dynamodbClient({ ...CREDENTIALS, ...options, ...(endpoints.dynamodb && { endpoint: endpoints.dynamodb }) }),
  sqs: sqsClient({ ...CREDENTIALS, ...options, ...(endpoints.sqs && { endpoint: endpoints.sqs }) }),
  s3: s3Client({ ...CREDENTIALS, ...options, forcePathStyle: true, ...(endpoints.s3 && { endpoint: endpoints.s3 }) }),
  secrets: secretsClient({ ...CREDENTIALS, ...options, ...(endpoints.secrets && { endpoint: endpoints.secrets }) }),
})

export interface EndpointUrls {
  readonly dynamodb?: string | undefined
  readonly sqs?: string | undefined
  readonly s3?: string | undefined
  readonly secrets?: string | undefined
}

/** Our own client against an embedded engine. */
export const leanCalls = (endpoints: EndpointUrls, settings: Partial<Settings> = {}): AwsCalls =>
  openLean({
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

/** The SDK against an embedded engine. */
export const sdkCalls = (endpoints: EndpointUrls, { patience }: Pick<Partial<Settings>, 'patience'> = {}): AwsCalls =>
  openSdk(
    clientsFor(
      endpoints,
      patience && {
        requestHandler: {
          connectionTimeout: patience.connect,
          requestTimeout: patience.answer,
          throwOnRequestTimeout: true,
        },
      },
    ),
  )

/** What has to hold for both of them. */
export const CLIENTS = { lean: leanCalls, sdk: sdkCalls } as const

/** A new table of the given shape; the engine's own TTL stays off, since the tests bring their clock. */
export const freshTable = async (endpoint: string, shape: Parameters<typeof createTable>[2]): Promise<string> => {
  const name = `table-${randomUUID()}`
  const { creating } = localClients({ dynamodb: endpoint, sqs: endpoint, s3: endpoint })
  await createTable(creating.tables, name, shape, false)
  return name
}
