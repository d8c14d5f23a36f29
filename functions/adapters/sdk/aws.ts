import type { AwsCalls, ReceiverCalls } from '../wire/aws-calls.ts'
import { type AwsClients, awsClients, dynamodbClient, s3Client, secretsClient, sqsClient } from './clients.ts'
import { sdkDynamo, sdkDynamoReads } from './dynamo.ts'
import { sdkObjects } from './objects.ts'
import { sdkQueue } from './queue.ts'
import { sdkSecrets } from './secrets.ts'

/*
 * Every call of the wire with the SDK, service by service: a bundle holds those that its function opens.
 */

/** Without what only those call who look at many items. */
export const openDynamo = (client = dynamodbClient()): ReceiverCalls['dynamo'] => sdkDynamo(client)

export const openWholeDynamo = (client = dynamodbClient()): AwsCalls['dynamo'] => ({
  ...sdkDynamo(client),
  ...sdkDynamoReads(client),
})

export const openQueue = (client = sqsClient()): AwsCalls['queue'] => sdkQueue(client)
export const openObjects = (client = s3Client()): AwsCalls['objects'] => sdkObjects(client)
export const openSecrets = (client = secretsClient()): AwsCalls['secrets'] => sdkSecrets(client)

/** All of them: `client: 'sdk'` of the construct puts this module in the place of `#aws`. */
export const openAws = ({ dynamodb, sqs, s3, secrets }: AwsClients = awsClients()): AwsCalls => ({
  dynamo: openWholeDynamo(dynamodb),
  queue: openQueue(sqs),
  objects: openObjects(s3),
  secrets: openSecrets(secrets),
  // The SDK has no call that only connects. Its secrets are fetched in init all the same, which loads and warms most of it.
  prime: async () => {},
})
