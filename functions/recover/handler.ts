import type { Context } from 'aws-lambda'
import { openObjects, openQueue, openSecrets, openWholeDynamo } from '#every-call'
import sources from '#resolved'
import { eventMoves } from '../adapters/dynamodb-events.ts'
import { dynamodbRecovery } from '../adapters/dynamodb-recovery.ts'
import { workFailures } from '../adapters/dynamodb-work.ts'
import { stackNames, variable } from '../adapters/environment.ts'
import { bodyFetching, bodyKeeping } from '../adapters/s3-and-dynamodb-bodies.ts'
import { secretsManagerKey } from '../adapters/secrets-manager-key.ts'
import { sqsQueue } from '../adapters/sqs-queue.ts'
import { storesOver } from '../adapters/stores.ts'
import { randomFence, systemClock, systemPause, writeLine } from '../adapters/system.ts'
import { RECEIVE_LEASE_MS } from '../contract/limits.ts'
import { millis } from '../domain/brands.ts'
import { recover } from './recover.ts'
import { recoverLine } from './recover-line.ts'

const STORES = {
  events: eventMoves,
  recovery: dynamodbRecovery,
  failures: workFailures,
  bodies: bodyKeeping,
  keptBodies: bodyFetching,
  queue: sqsQueue,
  secrets: secretsManagerKey,
} as const

const aws = { dynamo: openWholeDynamo(), objects: openObjects(), queue: openQueue(), secrets: openSecrets() }
const world = {
  ...storesOver(aws, stackNames, STORES, systemClock),
  sources,
  now: systemClock,
  newFence: randomFence,
  pause: systemPause,
  leaseMillis: millis(RECEIVE_LEASE_MS),
}

/** Time to finish the stretch at hand before Lambda ends the function. */
const STOP_BEFORE_MS = 10_000

export const handler = async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
  const tally = await recover(world, () => context.getRemainingTimeInMillis() < STOP_BEFORE_MS)
  writeLine(recoverLine(variable('environment'), tally, world.now()))
}
