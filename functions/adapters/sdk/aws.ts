import type { AwsCalls } from '../wire/aws-calls.ts'
import { type AwsClients, awsClients } from './clients.ts'
import { sdkDynamo } from './dynamo.ts'
import { sdkObjects } from './objects.ts'
import { sdkQueue } from './queue.ts'
import { sdkSecrets } from './secrets.ts'

/** Every call of the wire with the SDK: `client: 'sdk'` of the construct puts this module in the place of `#aws`. */
export const openAws = ({ dynamodb, sqs, s3, secrets }: AwsClients = awsClients()): AwsCalls => ({
  dynamo: sdkDynamo(dynamodb),
  queue: sdkQueue(sqs),
  objects: sdkObjects(s3),
  secrets: sdkSecrets(secrets),
  // The SDK has no call that only connects. Its secrets are fetched in init all the same, which loads and warms most of it.
  prime: async () => {},
})
