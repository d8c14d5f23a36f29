import { openAws } from '#aws'
import { REHEARSAL_SECRET, rehearsalAws } from '../adapters/rehearsal-aws.ts'
import { writeLine } from '../adapters/system.ts'
import { awsWorld } from './aws-world.ts'
import { lambdaHandler } from './lambda.ts'
import { fetchSecrets, prime } from './prime.ts'
import { REHEARSED, rehearse, rehearsedSource } from './rehearse.ts'

const aws = openAws()
const world = awsWorld(aws)
const rehearsal = { ...awsWorld(rehearsalAws(REHEARSED)), sources: new Map([[REHEARSED, rehearsedSource]]) }
// Awaited while Lambda gives a whole CPU to the start of a function; a delivery would pay for it with a slice of one.
await prime(
  fetchSecrets(world),
  aws.prime(),
  rehearse(
    lambdaHandler(rehearsal, () => {}),
    REHEARSAL_SECRET,
  ),
)

export const handler = lambdaHandler(world, writeLine)
