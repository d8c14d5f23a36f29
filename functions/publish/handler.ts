import type { Context } from 'aws-lambda'
import { openAws } from '#aws'
import type { GatewayEvent } from '../adapters/api-gateway.ts'
import { writeLine } from '../adapters/system.ts'
import { prime } from '../receive/prime.ts'
import { awsWorld } from './aws-world.ts'
import { publishHandler } from './lambda.ts'

const aws = openAws()
const world = awsWorld(aws)
/** Begun at the start, awaited by the first call: a bundle with somebody's schema stays CommonJS, which cannot wait. */
const ready = prime(world.secrets.fingerprintKey(), aws.prime())
const publish = publishHandler(world, writeLine)

export const handler = async (event: GatewayEvent, context: Context) => {
  await ready
  return publish(event, context)
}
