import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamodbClient, s3Client, sqsClient } from '../../functions/adapters/clients.ts'
import type { Endpoints } from './engines/start-engines.ts'

/** The functions' own clients with other endpoints; engines ask for a region and a signature, not for whose. */
export const deskClients = (endpoints: Endpoints) => {
  const nobody = {
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    // One process serves what hundreds of Lambdas would: a burst waits for a socket, and is not turned away.
    requestHandler: { connectionTimeout: 9_000, requestTimeout: 9_000, httpAgent: { maxSockets: 100 } },
  }
  return {
    dynamodb: dynamodbClient({ ...nobody, endpoint: endpoints.dynamodb }),
    /** For creating tables, which the document client cannot. */
    tables: new DynamoDBClient({ ...nobody, endpoint: endpoints.dynamodb }),
    sqs: sqsClient({ ...nobody, endpoint: endpoints.sqs }),
    s3: s3Client({ ...nobody, endpoint: endpoints.s3, forcePathStyle: true }),
  }
}

export type DeskClients = ReturnType<typeof deskClients>
