import sources from '#sources'
import { awsBodies } from '../adapters/aws-bodies.ts'
import { dynamodbClient, s3Client, secretsClient, sqsClient } from '../adapters/clients.ts'
import { dynamodbEvents } from '../adapters/dynamodb-events.ts'
import { optionalVariable, variable } from '../adapters/environment.ts'
import { secretsManager } from '../adapters/secrets-manager.ts'
import { sqsQueue } from '../adapters/sqs-queue.ts'
import { randomFence, systemClock } from '../adapters/system.ts'
import { RECEIVE_LEASE_MS } from '../contract/limits.ts'
import { millis } from '../domain/brands.ts'
import { resolveSources } from '../providers/sources.ts'
import type { World } from '../receive/world.ts'

/** As the receiver's, without the signing secrets: there is no signature of a body here, and its role may not read them. */
export const awsWorld = (dynamodb = dynamodbClient()): World => ({
  environment: variable('environment'),
  sources: resolveSources(sources),
  secrets: secretsManager(
    secretsClient(),
    { signingSecrets: 'not for this function', fingerprintKey: variable('fingerprintKey') },
    systemClock,
  ),
  events: dynamodbEvents(dynamodb, variable('eventsTable')),
  bodies: awsBodies({ dynamodb, table: variable('bodiesTable'), s3: s3Client(), bucket: variable('bodiesBucket') }),
  queue: sqsQueue(sqsClient(), { standard: variable('queueUrl'), ordered: optionalVariable('orderedQueueUrl') }),
  now: systemClock,
  newFence: randomFence,
  leaseMillis: millis(RECEIVE_LEASE_MS),
})
