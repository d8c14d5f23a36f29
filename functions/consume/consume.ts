import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { openDynamo, openObjects } from '#every-call'
import { dynamodbWork, workFailures } from '../adapters/dynamodb-work.ts'
import { optionalVariable, stackNames } from '../adapters/environment.ts'
import { bodyFetching, bodyKeeping } from '../adapters/s3-and-dynamodb-bodies.ts'
import { storesOver } from '../adapters/stores.ts'
import { randomFence, systemClock, writeLine } from '../adapters/system.ts'
import type { Consuming } from '../domain/world.ts'
import { batch, toItem } from './batch.ts'
import type { Handler } from './handle.ts'
import { workLine } from './work-line.ts'

export interface ConsumeOptions {
  /** @default the world as the stack made it */
  readonly world?: Consuming
  /** @default the function's environment */
  readonly environment?: string
  /** Where the line of each message goes. @default standard output */
  readonly write?: (line: string) => void
}

export type ConsumeHandler = (
  event: SQSEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
) => Promise<SQSBatchResponse>

/** The user's handler as an SQS Lambda: each event is handled at least once, and told apart from its repeats. */
export const consume = (handler: Handler, options: ConsumeOptions = {}): ConsumeHandler => {
  let world = options.world
  const environment = options.environment ?? optionalVariable('environment') ?? ''
  const write = options.write ?? writeLine
  return async (event, context) => {
    // Not before it is called: the module of the handler can then be imported where there is no AWS, as on a laptop.
    world ??= stackWorld()
    const { now } = world
    const startedAt = now()
    const clock = { remaining: () => context.getRemainingTimeInMillis() }
    const { failed } = await batch(world, handler, event.Records.map(toItem), clock, (item, ended) =>
      write(workLine({ environment, ...item, ended, startedAt, finishedAt: now() })),
    )
    return { batchItemFailures: failed.map(itemIdentifier => ({ itemIdentifier })) }
  }
}

const STORES = { work: dynamodbWork, failures: workFailures, bodies: bodyKeeping, keptBodies: bodyFetching } as const

/** The world as the stack made it, from the variables it set. */
const stackWorld = (): Consuming => ({
  ...storesOver({ dynamo: openDynamo(), objects: openObjects() }, stackNames, STORES, systemClock),
  now: systemClock,
  newFence: randomFence,
})
