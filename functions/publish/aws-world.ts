import sources from '#sources'
import { bodiesOver } from '../adapters/body-places.ts'
import { optionalVariable, variable } from '../adapters/environment.ts'
import { eventsOver } from '../adapters/event-claims.ts'
import { queueOver } from '../adapters/message-queue.ts'
import { secretsOver } from '../adapters/secrets-manager.ts'
import { randomFence, systemClock } from '../adapters/system.ts'
import type { AwsCalls } from '../adapters/wire/aws-calls.ts'
import { RECEIVE_LEASE_MS } from '../contract/limits.ts'
import { millis } from '../domain/brands.ts'
import { internalSources } from '../providers/sources.ts'
import type { World } from '../receive/world.ts'

/** As the receiver's, without the signing secrets: there is no signature of a body here, and its role may not read them. */
export const awsWorld = (aws: AwsCalls): World => ({
  environment: variable('environment'),
  sources: internalSources(sources),
  secrets: secretsOver(
    aws.secrets,
    { signingSecrets: 'not for this function', fingerprintKey: variable('fingerprintKey') },
    systemClock,
  ),
  events: eventsOver(aws.dynamo, variable('eventsTable')),
  bodies: bodiesOver(aws, { table: variable('bodiesTable'), bucket: variable('bodiesBucket') }),
  queue: queueOver(aws.queue, { standard: variable('queueUrl'), ordered: optionalVariable('orderedQueueUrl') }),
  now: systemClock,
  newFence: randomFence,
  leaseMillis: millis(RECEIVE_LEASE_MS),
})
