import { openAws } from '#aws'
import { writeLine } from '../adapters/system.ts'
import { prime } from '../receive/prime.ts'
import { awsWorld } from './aws-world.ts'
import { publishHandler } from './lambda.ts'

const aws = openAws()
const world = awsWorld(aws)
await prime(world.secrets.fingerprintKey(), aws.prime())

export const handler = publishHandler(world, writeLine)
