import type { SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { openDynamo, openObjects, openSecrets } from '#every-call'
import { leadsTo } from '../adapters/destination-queues.ts'
import { eventRead } from '../adapters/dynamodb-events.ts'
import { workFailures } from '../adapters/dynamodb-work.ts'
import { optionalNumber, stackNames, variable } from '../adapters/environment.ts'
import { bodyFetching, bodyKeeping } from '../adapters/s3-and-dynamodb-bodies.ts'
import { secretsManagerKey } from '../adapters/secrets-manager-key.ts'
import { storesOver } from '../adapters/stores.ts'
import { randomFence, systemClock, writeLine } from '../adapters/system.ts'
import { buryBatch } from './bury-batch.ts'

const STORES = {
  records: eventRead,
  failures: workFailures,
  bodies: bodyKeeping,
  keptBodies: bodyFetching,
  secrets: secretsManagerKey,
} as const

const aws = { dynamo: openDynamo(), objects: openObjects(), secrets: openSecrets() }
const stores = storesOver(aws, stackNames, STORES, systemClock)
const world = {
  ...stores,
  queue: { leadsTo: async (to: readonly string[]) => leadsTo(stackNames, to) },
  now: systemClock,
  newFence: randomFence,
}

export const handler = (event: SQSEvent): Promise<SQSBatchResponse> =>
  buryBatch(world, event, variable('environment'), writeLine, optionalNumber('tries'))
