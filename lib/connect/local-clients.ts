import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { openAws as openLean } from '../../functions/adapters/lean/aws.ts'
import { openAws as openEvery } from '../../functions/adapters/lean/every-call.ts'
import type { Exchange } from '../../functions/adapters/lean/exchange.ts'
import { dynamodbClient, s3Client, secretsClient, sqsClient } from '../../functions/adapters/sdk/clients.ts'
import type { Credentials, Endpoints } from './instance.ts'

/**
 * The functions' own clients with other endpoints; engines ask for the access key of their run, and do not check the signature.
 * With an `exchange` for engines in this process, our own client reaches them without a socket.
 */
export const localClients = (endpoints: Endpoints, exchange?: Exchange) => {
  // One process serves what hundreds of Lambdas would: a burst waits for a socket, and is not turned away.
  const patience = { connect: 9_000, answer: 9_000 }
  const { region, ...credentials } = credentialsOf(endpoints)
  const nobody = {
    region,
    credentials,
    requestHandler: {
      connectionTimeout: patience.connect,
      requestTimeout: patience.answer,
      httpAgent: { maxSockets: SOCKETS },
    },
  }
  const clients = {
    dynamodb: dynamodbClient({ ...nobody, endpoint: endpoints.dynamodb }),
    sqs: sqsClient({ ...nobody, endpoint: endpoints.sqs }),
    s3: s3Client({ ...nobody, endpoint: endpoints.s3, forcePathStyle: true }),
    // Never called: a laptop has its secrets in a file.
    secrets: secretsClient(nobody),
  }
  const settings = {
    env: environmentOf(endpoints),
    patience,
    deadline: patience.answer,
    connections: SOCKETS,
    ...(exchange && { exchange }),
  }
  return {
    ...clients,
    /** For creating tables, which the document client cannot. */
    tables: new DynamoDBClient({ ...nobody, endpoint: endpoints.dynamodb }),
    /** What receive and publish call AWS with, and what all others do, as in the cloud. */
    receivers: openLean(settings),
    aws: openEvery(settings),
  }
}

const SOCKETS = 100

/** What an engine has to be shown. */
export const credentialsOf = ({ accessKey = 'local' }: Endpoints): Credentials => ({
  region: 'us-east-1',
  accessKeyId: accessKey,
  secretAccessKey: 'local',
})

/** The same as variables that every AWS SDK reads. */
export const environmentOf = (endpoints: Endpoints) => ({
  AWS_REGION: credentialsOf(endpoints).region,
  AWS_ACCESS_KEY_ID: credentialsOf(endpoints).accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentialsOf(endpoints).secretAccessKey,
  AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
  AWS_ENDPOINT_URL_SQS: endpoints.sqs,
  AWS_ENDPOINT_URL_S3: endpoints.s3,
})

export type LocalClients = ReturnType<typeof localClients>
