import { openAws } from '#aws'
import { REHEARSAL_SECRET, rehearsalAws } from '../adapters/rehearsal-aws.ts'
import { writeLine } from '../adapters/system.ts'
import { fetchSecrets, prime } from '../shell/prime.ts'
import { lambdaHandler } from './lambda.ts'
import { receiverWorld } from './receiver-world.ts'
import { REHEARSED, rehearse, rehearsedSource } from './rehearse.ts'

const aws = openAws()
const world = receiverWorld(aws)
const rehearsal = { ...receiverWorld(rehearsalAws(REHEARSED)), sources: new Map([[REHEARSED, rehearsedSource]]) }
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
