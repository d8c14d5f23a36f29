import sources from '#sources'
import { awsBodies } from '../adapters/aws-bodies.ts'
import { dynamodbClient, s3Client, secretsClient, sqsClient } from '../adapters/clients.ts'
import { dynamodbEvents } from '../adapters/dynamodb-events.ts'
import { secretsManager } from '../adapters/secrets-manager.ts'
import { sqsQueue } from '../adapters/sqs-queue.ts'
import { randomFence, systemClock } from '../adapters/system.ts'
import { ENVIRONMENT, type EnvironmentName } from '../contract/environment.ts'
import { RECEIVE_LEASE_MS } from '../contract/limits.ts'
import { millis } from '../domain/brands.ts'
import { resolveSources } from '../providers/sources.ts'
import { lambdaHandler } from './lambda.ts'

const variable = (name: EnvironmentName): string => {
  const value = process.env[ENVIRONMENT[name]]
  if (!value) throw new Error(`the environment variable ${ENVIRONMENT[name]} is not set: the stack sets it`)
  return value
}

const dynamodb = dynamodbClient()

export const handler = lambdaHandler(
  {
    environment: variable('environment'),
    sources: resolveSources(sources),
    secrets: secretsManager(
      secretsClient(),
      { signingSecrets: variable('signingSecrets'), fingerprintKey: variable('fingerprintKey') },
      systemClock,
    ),
    events: dynamodbEvents(dynamodb, variable('eventsTable')),
    bodies: awsBodies({ dynamodb, table: variable('bodiesTable'), s3: s3Client(), bucket: variable('bodiesBucket') }),
    queue: sqsQueue(sqsClient(), variable('queueUrl')),
    now: systemClock,
    newFence: randomFence,
    leaseMillis: millis(RECEIVE_LEASE_MS),
  },
  // console.log would be wrapped by Lambda's JSON log format, and CloudWatch would no longer see the metrics in it.
  line => process.stdout.write(line),
)
