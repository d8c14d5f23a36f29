import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamodbClient, s3Client, sqsClient } from '../../functions/adapters/clients.ts'
import { openAws } from '../../functions/adapters/lean/aws.ts'
import type { Endpoints } from './instance.ts'

/** The functions' own clients with other endpoints; engines ask for a region and a signature, not for whose. */
export const localClients = (endpoints: Endpoints) => {
  // One process serves what hundreds of Lambdas would: a burst waits for a socket, and is not turned away.
  const patience = { connect: 9_000, answer: 9_000 }
  const nobody = {
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: {
      connectionTimeout: patience.connect,
      requestTimeout: patience.answer,
      httpAgent: { maxSockets: SOCKETS },
    },
  }
  return {
    /** What the receive function calls AWS with. */
    aws: openAws({ env: environmentOf(endpoints), patience, deadline: patience.answer, connections: SOCKETS }),
    dynamodb: dynamodbClient({ ...nobody, endpoint: endpoints.dynamodb }),
    /** For creating tables, which the document client cannot. */
    tables: new DynamoDBClient({ ...nobody, endpoint: endpoints.dynamodb }),
    sqs: sqsClient({ ...nobody, endpoint: endpoints.sqs }),
    s3: s3Client({ ...nobody, endpoint: endpoints.s3, forcePathStyle: true }),
  }
}

const SOCKETS = 100

const environmentOf = ({ dynamodb, sqs, s3 }: Endpoints) => ({
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
  AWS_ENDPOINT_URL_SQS: sqs,
  AWS_ENDPOINT_URL_S3: s3,
})

export type LocalClients = ReturnType<typeof localClients>
