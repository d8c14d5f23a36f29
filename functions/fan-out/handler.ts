import { openObjects, openQueue, openSecrets, openWholeDynamo } from '#every-call'
import sources from '#resolved'
import { copyClaims, eventClaims, eventMoves, eventRead } from '../adapters/dynamodb-events.ts'
import { dynamodbWork, workFailures } from '../adapters/dynamodb-work.ts'
import { stackNames } from '../adapters/environment.ts'
import { bodyFetching, bodyKeeping } from '../adapters/s3-and-dynamodb-bodies.ts'
import { secretsManagerKey } from '../adapters/secrets-manager-key.ts'
import { sqsQueue } from '../adapters/sqs-queue.ts'
import { sqsVisibility } from '../adapters/sqs-visibility.ts'
import { storesOver } from '../adapters/stores.ts'
import { systemClock, systemRandom, systemWorld } from '../adapters/system.ts'
import { consume } from '../consume/consume.ts'
import { SEVERAL } from '../contract/queues.ts'
import { fanOut } from './fan-out.ts'

const STORES = {
  claims: eventClaims,
  copies: copyClaims,
  events: eventMoves,
  work: dynamodbWork,
  failures: workFailures,
  records: eventRead,
  bodies: bodyKeeping,
  keptBodies: bodyFetching,
  queue: sqsQueue,
  secrets: secretsManagerKey,
} as const

const aws = { dynamo: openWholeDynamo(), objects: openObjects(), queue: openQueue(), secrets: openSecrets() }
const world = {
  ...storesOver(aws, stackNames, STORES, systemClock),
  // Its own queue: the one that it is told of besides is where the copies for the worker go.
  visibility: sqsVisibility(aws, { queueUrl: stackNames.destinations?.[SEVERAL] ?? '' }),
  sources,
  ...systemWorld,
  random: systemRandom,
}

export const handler = consume(fanOut(world), { world })
