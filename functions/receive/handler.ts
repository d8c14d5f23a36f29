import { openAws } from '#aws'
import { writeLine } from '../adapters/system.ts'
import { awsWorld } from './aws-world.ts'
import { lambdaHandler } from './lambda.ts'
import { prime } from './prime.ts'

const aws = openAws()
const world = awsWorld(aws)
// Awaited while Lambda gives a whole CPU to the start of a function; a delivery would pay for it with a slice of one.
await prime(world, aws.prime)

export const handler = lambdaHandler(world, writeLine)
