import sources from '#resolved'
import { bodiesOver } from '../adapters/body-places.ts'
import { optionalVariable, variable } from '../adapters/environment.ts'
import { eventsOver } from '../adapters/event-claims.ts'
import { httpsKeys } from '../adapters/https-keys.ts'
import { queueOver } from '../adapters/message-queue.ts'
import { secretsOver } from '../adapters/secrets-manager.ts'
import { shelfWriter } from '../adapters/shelf-writer.ts'
import { randomFence, systemClock } from '../adapters/system.ts'
import type { AwsCalls } from '../adapters/wire/aws-calls.ts'
import { RECEIVE_LEASE_MS } from '../contract/limits.ts'
import { millis } from '../domain/brands.ts'
import { boundedShelf } from './bounded-shelf.ts'
import type { World } from './world.ts'

/** The world as the stack made it, from the variables it set. */
export const awsWorld = (aws: AwsCalls): World => ({
  environment: variable('environment'),
  sources,
  secrets: secretsOver(
    aws.secrets,
    { signingSecrets: variable('signingSecrets'), fingerprintKey: variable('fingerprintKey') },
    systemClock,
  ),
  events: eventsOver(aws.dynamo, variable('eventsTable')),
  bodies: bodiesOver(aws, { table: variable('bodiesTable'), bucket: variable('bodiesBucket') }),
  queue: queueOver(aws.queue, { standard: variable('queueUrl'), ordered: optionalVariable('orderedQueueUrl') }),
  keys: httpsKeys(systemClock),
  shelf: boundedShelf(shelfWriter(aws.dynamo.updateItem, variable('bodiesTable')), systemClock),
  now: systemClock,
  newFence: randomFence,
  leaseMillis: millis(RECEIVE_LEASE_MS),
})
