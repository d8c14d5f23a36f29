import { openAws as openLean, serviceOf } from '../../functions/adapters/lean/aws.ts'
import { openAws as openEvery } from '../../functions/adapters/lean/every-call.ts'
import type { Exchange } from '../../functions/adapters/lean/exchange.ts'
import { jsonCalls } from '../../functions/adapters/lean/json-protocol.ts'
import type { Credentials, Endpoints } from './instance.ts'

/**
 * The functions' own client with other endpoints; engines ask for the access key of their run, and do not check the signature.
 * With an `exchange` for engines in this process, it reaches them without a socket. No SDK: loading and first using it is a quarter of a start.
 */
export const localClients = (endpoints: Endpoints, exchange?: Exchange) => {
  const settings = settingsOf(endpoints, exchange)
  return {
    /** What receive and publish call AWS with, and what all others do, as in the cloud. */
    receivers: openLean(settings),
    aws: openEvery(settings),
    creating: {
      tables: jsonCalls(serviceOf('dynamodb', settings), 'DynamoDB_20120810', '1.0'),
      queues: jsonCalls(serviceOf('sqs', settings), 'AmazonSQS', '1.0'),
      objects: serviceOf('s3', settings),
      queueUrl: (name: string) => `${endpoints.sqs}/000000000000/${name}`,
    },
  }
}

const settingsOf = (endpoints: Endpoints, exchange: Exchange | undefined) => {
  // One process serves what hundreds of Lambdas would: a burst waits for a socket, and is not turned away.
  const patience = { connect: 9_000, answer: 9_000 }
  const env = environmentOf(endpoints)
  return { env, patience, deadline: patience.answer, connections: SOCKETS, ...(exchange && { exchange }) }
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

/** For creating what is there already in the cloud. */
export type LocalCreating = LocalClients['creating']
