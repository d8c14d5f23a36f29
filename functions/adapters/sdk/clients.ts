import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { S3Client } from '@aws-sdk/client-s3'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SQSClient } from '@aws-sdk/client-sqs'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'

/** Three tries of at most 3.5 s end inside the function's timeout only if they fail fast; the early timeout covers the rest. */
const PATIENCE = {
  maxAttempts: 3,
  // Without the last one a late answer is only complained about, and waited for.
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_500, throwOnRequestTimeout: true },
} as const

export const dynamodbClient = (options: ConstructorParameters<typeof DynamoDBClient>[0] = {}): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ ...PATIENCE, ...options }))

/** The queue URL is not the endpoint: where an endpoint is set, emulators hand out URLs that do not resolve. */
export const sqsClient = (options: ConstructorParameters<typeof SQSClient>[0] = {}): SQSClient =>
  new SQSClient({ ...PATIENCE, ...options, ...(isEmulated('SQS', options) && { useQueueUrlAsEndpoint: false }) })

export const s3Client = (options: ConstructorParameters<typeof S3Client>[0] = {}): S3Client =>
  new S3Client({ ...PATIENCE, ...options, ...(isEmulated('S3', options) && { forcePathStyle: true }) })

export const secretsClient = (
  options: ConstructorParameters<typeof SecretsManagerClient>[0] = {},
): SecretsManagerClient => new SecretsManagerClient({ ...PATIENCE, ...options })

/** An endpoint of somebody's own: neither queue URLs nor bucket names resolve there. */
const isEmulated = (service: 'SQS' | 'S3', { endpoint }: { readonly endpoint?: unknown }): boolean =>
  endpoint !== undefined || Boolean(process.env.AWS_ENDPOINT_URL ?? process.env[`AWS_ENDPOINT_URL_${service}`])

export interface AwsClients {
  readonly dynamodb: DynamoDBDocumentClient
  readonly sqs: SQSClient
  readonly s3: S3Client
  readonly secrets: SecretsManagerClient
}

/** With the region and role of the place it runs in, save what is said. */
export const awsClients = (options: ClientOptions = {}): AwsClients => ({
  dynamodb: dynamodbClient(options),
  sqs: sqsClient(options),
  s3: s3Client(options),
  secrets: secretsClient(options),
})

/** What all four take alike. */
type ClientOptions = Pick<
  NonNullable<ConstructorParameters<typeof SecretsManagerClient>[0]>,
  'region' | 'profile' | 'credentials' | 'endpoint' | 'requestHandler' | 'maxAttempts'
>
