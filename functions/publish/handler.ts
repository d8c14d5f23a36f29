import type { Context } from 'aws-lambda'
import { openAws } from '#aws'
import destinations from '#destinations'
import sources from '#sources'
import type { GatewayEvent } from '../adapters/api-gateway.ts'
import { eventClaims, eventMoves } from '../adapters/dynamodb-events.ts'
import { optionalVariable, stackNames, variable } from '../adapters/environment.ts'
import { bodyKeeping } from '../adapters/s3-and-dynamodb-bodies.ts'
import { secretsManagerSecrets } from '../adapters/secrets-manager-secrets.ts'
import { sqsQueue } from '../adapters/sqs-queue.ts'
import { storesOver } from '../adapters/stores.ts'
import { systemClock, systemWorld, writeLine } from '../adapters/system.ts'
import { internalSources } from '../providers/sources.ts'
import { prime } from '../shell/prime.ts'
import { publishHandler } from './lambda.ts'

/** As the receiver's, without keys and kept deliveries: no body is signed here. */
const STORES = {
  claims: eventClaims,
  events: eventMoves,
  bodies: bodyKeeping,
  queue: sqsQueue,
  secrets: secretsManagerSecrets,
} as const

const aws = openAws()
const world = {
  ...storesOver(aws, stackNames, STORES, systemClock),
  environment: variable('environment'),
  domain: optionalVariable('domain'),
  sources: internalSources(sources, destinations),
  ...systemWorld,
}
/** Begun at the start, awaited by the first call: a bundle with somebody's schema stays CommonJS, which cannot wait. */
const ready = prime(world.secrets.fingerprintKey(), aws.prime())
const publish = publishHandler(world, writeLine)

export const handler = async (event: GatewayEvent, context: Context) => {
  await ready
  return publish(event, context)
}
