import type { Context } from 'aws-lambda'
import { dynamodbClient } from '../adapters/clients.ts'
import { dynamodbRecovery } from '../adapters/dynamodb-recovery.ts'
import { dynamodbWork } from '../adapters/dynamodb-work.ts'
import { variable } from '../adapters/environment.ts'
import { openAws } from '../adapters/sdk/aws.ts'
import { writeLine } from '../adapters/system.ts'
import { awsWorld } from '../receive/aws-world.ts'
import { recover } from './recover.ts'
import { recoverLine } from './recover-line.ts'

const dynamodb = dynamodbClient()
const table = variable('eventsTable')
const world = {
  ...awsWorld(openAws(dynamodb)),
  recovery: dynamodbRecovery(dynamodb, table),
  work: dynamodbWork(dynamodb, table),
}

/** Time to finish the stretch at hand before Lambda ends the function. */
const STOP_BEFORE_MS = 10_000

export const handler = async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
  const tally = await recover(world, () => context.getRemainingTimeInMillis() < STOP_BEFORE_MS)
  writeLine(recoverLine(world.environment, tally, world.now()))
}
