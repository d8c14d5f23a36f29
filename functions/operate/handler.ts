import type { Context } from 'aws-lambda'
import { openObjects, openQueue, openSecrets, openWholeDynamo } from '#every-call'
import sources, { openKeys } from '#resolved'
import { eventClaims, eventMoves } from '../adapters/dynamodb-events.ts'
import { dynamodbJobs } from '../adapters/dynamodb-jobs.ts'
import { dynamodbKeptDeliveries } from '../adapters/dynamodb-kept-deliveries.ts'
import { eventReads } from '../adapters/dynamodb-listing.ts'
import { dynamodbPauses } from '../adapters/dynamodb-pauses.ts'
import { dynamodbReconciler } from '../adapters/dynamodb-reconciler.ts'
import { dynamodbReplays } from '../adapters/dynamodb-replays.ts'
import { mappingIds, stackNames, variable } from '../adapters/environment.ts'
import { erasures } from '../adapters/erasures.ts'
import { lambdaMappings } from '../adapters/lean/mappings.ts'
import { bodyFetching, bodyKeeping } from '../adapters/s3-and-dynamodb-bodies.ts'
import { secretsManagerSecrets } from '../adapters/secrets-manager-secrets.ts'
import { senderHttp } from '../adapters/sender-http.ts'
import { sqsQueue } from '../adapters/sqs-queue.ts'
import { storesOver } from '../adapters/stores.ts'
import { stsCallers } from '../adapters/sts-callers.ts'
import { systemClock, systemWorld, writeLine } from '../adapters/system.ts'
import { COMPARE_SHARE_MS, OPERATE_SHARE_MS } from '../contract/limits.ts'
import { ERASE_ALIAS } from '../contract/outputs.ts'
import { type OperateReply, operate } from './operate.ts'
import { operateLine } from './operate-line.ts'

const STORES = {
  claims: eventClaims,
  events: eventMoves,
  records: eventReads,
  bodies: bodyKeeping,
  keptBodies: bodyFetching,
  queue: sqsQueue,
  replays: dynamodbReplays,
  jobs: dynamodbJobs,
  pauses: dynamodbPauses,
  reconciler: dynamodbReconciler,
  deliveries: dynamodbKeptDeliveries,
  erasures,
  secrets: secretsManagerSecrets,
} as const

const aws = { dynamo: openWholeDynamo(), objects: openObjects(), queue: openQueue(), secrets: openSecrets() }
const world = {
  ...storesOver(aws, stackNames, STORES, systemClock),
  environment: variable('environment'),
  sources,
  ...(openKeys && { keys: openKeys(systemClock) }),
  callers: stsCallers(process.env),
  http: senderHttp,
  mappings: lambdaMappings(mappingIds()),
  ...systemWorld,
}

export const handler = async (
  payload: unknown,
  context: Pick<Context, 'invokedFunctionArn'>,
): Promise<OperateReply> => {
  const [, , , , account = '', , , alias] = context.invokedFunctionArn.split(':')
  const bounds = { stop: AbortSignal.timeout(OPERATE_SHARE_MS), late: AbortSignal.timeout(COMPARE_SHARE_MS) }
  const reply = await operate(world, payload, { account, byEraseDoor: alias === ERASE_ALIAS, ...bounds })
  writeLine(operateLine(world.environment, payload, reply, world.now()))
  return reply
}
