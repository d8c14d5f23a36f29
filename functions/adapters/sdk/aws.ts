import { dynamodbClient, s3Client, secretsClient, sqsClient } from '../clients.ts'
import type { AwsCalls } from '../wire/aws-calls.ts'
import { sdkDynamo } from './dynamo.ts'
import { sdkObjects } from './objects.ts'
import { sdkQueue } from './queue.ts'
import { sdkSecrets } from './secrets.ts'

/** The drop-in: `client: 'sdk'` of the construct puts this module in the place of `#aws`. */
export const openAws = (dynamodb = dynamodbClient()): AwsCalls => ({
  dynamo: sdkDynamo(dynamodb),
  queue: sdkQueue(sqsClient()),
  objects: sdkObjects(s3Client()),
  secrets: sdkSecrets(secretsClient()),
  // The SDK has no call that only connects. Its secrets are fetched in init all the same, which loads and warms most of it.
  prime: async () => {},
})
