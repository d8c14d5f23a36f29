import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamodbClient, sqsClient } from '../../functions/adapters/sdk/clients.ts'
import type { Endpoints } from '../../lib/connect/instance.ts'
import { credentialsOf } from '../../lib/connect/local-clients.ts'

/** The SDK's clients for the engines of a local instance, with its patience: two hundred calls at once wait for a socket. */
export const localSdk = (endpoints: Endpoints) => {
  const { region, ...credentials } = credentialsOf(endpoints)
  const waits = { connectionTimeout: 9_000, requestTimeout: 9_000, httpAgent: { maxSockets: 100 } }
  const nobody = { region, credentials, requestHandler: waits }
  return {
    dynamodb: dynamodbClient({ ...nobody, endpoint: endpoints.dynamodb }),
    sqs: sqsClient({ ...nobody, endpoint: endpoints.sqs }),
    tables: new DynamoDBClient({ ...nobody, endpoint: endpoints.dynamodb }),
  }
}
