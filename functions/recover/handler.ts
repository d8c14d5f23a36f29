import type { Context } from 'aws-lambda'
import { openObjects, openQueue, openSecrets, openWholeDynamo } from '#every-call'
import sources from '#resolved'
import { eventMoves } from '../adapters/dynamodb-events.ts'
import { dynamodbPauses } from '../adapters/dynamodb-pauses.ts'
import { dynamodbRecovery } from '../adapters/dynamodb-recovery.ts'
import { workFailures } from '../adapters/dynamodb-work.ts'
import { mappingIds, stackNames, variable } from '../adapters/environment.ts'
import { lambdaMappings } from '../adapters/lean/mappings.ts'
import { bodyFetching, bodyKeeping } from '../adapters/s3-and-dynamodb-bodies.ts'
import { secretsManagerKey } from '../adapters/secrets-manager-key.ts'
import { sqsLeftQueues } from '../adapters/sqs-left-queues.ts'
import { sqsQueue } from '../adapters/sqs-queue.ts'
import { storesOver } from '../adapters/stores.ts'
import { systemClock, systemWorld, writeLine } from '../adapters/system.ts'
import { emptyRemoved } from './empty-removed.ts'
import { keepPauses } from './keep-pauses.ts'
import { recover } from './recover.ts'
import { emptiedLine, pauseLine, recoverLine } from './recover-line.ts'

const STORES = {
  events: eventMoves,
  recovery: dynamodbRecovery,
  failures: workFailures,
  pauses: dynamodbPauses,
  left: sqsLeftQueues,
  bodies: bodyKeeping,
  keptBodies: bodyFetching,
  queue: sqsQueue,
  secrets: secretsManagerKey,
} as const

const aws = { dynamo: openWholeDynamo(), objects: openObjects(), queue: openQueue(), secrets: openSecrets() }
const world = {
  ...storesOver(aws, stackNames, STORES, systemClock),
  sources,
  mappings: lambdaMappings(mappingIds()),
  ...systemWorld,
}

/** Time to finish the stretch at hand before Lambda ends the function. */
const STOP_BEFORE_MS = 10_000

export const handler = async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
  // First, since a walk over a backlog takes all the time there is.
  for (const each of await keepPauses(world)) writeLine(pauseLine(variable('environment'), each, world.now()))
  const stop = () => context.getRemainingTimeInMillis() < STOP_BEFORE_MS
  const tally = await recover(world, stop)
  writeLine(recoverLine(variable('environment'), tally, world.now()))
  for (const each of await emptyRemoved(world, stop)) writeLine(emptiedLine(each))
}
