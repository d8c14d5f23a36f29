import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { openDynamo, openObjects, openQueue, openSecrets } from '#every-call'
import schemas from '#schemas'
import { eventRead } from '../adapters/dynamodb-events.ts'
import { dynamodbWork, workFailures } from '../adapters/dynamodb-work.ts'
import { optionalNumber, optionalVariable, stackNames } from '../adapters/environment.ts'
import { bodyFetching, bodyKeeping } from '../adapters/s3-and-dynamodb-bodies.ts'
import { secretsManagerKey } from '../adapters/secrets-manager-key.ts'
import { sqsVisibility } from '../adapters/sqs-visibility.ts'
import { storesOver } from '../adapters/stores.ts'
import { randomFence, systemClock, systemRandom, writeLine } from '../adapters/system.ts'
import { WORKER } from '../domain/destinations.ts'
import type { SourceName } from '../domain/typed-event.ts'
import type { Consuming } from '../domain/world.ts'
import { type After, batch, toItem } from './batch.ts'
import type { Handler } from './handle.ts'
import { type Pace, readPace, type Share, shareEvery } from './pace.ts'
import { checkTries } from './tries.ts'
import { type Schemas, withSchemas } from './with-schemas.ts'
import { workLine } from './work-line.ts'

export interface ConsumeOptions {
  /** @default the world as the stack made it */
  readonly world?: Consuming
  /** @default the function's environment */
  readonly environment?: string
  /** Calls of the handler with one event before it fails. @default the stack's `tries`, else 16, or 8 from a FIFO queue */
  readonly tries?: number
  /** How fast it works. @default as its destination says */
  readonly pace?: Pace
  /** Whom it works for. @default the function's environment, which names none for the worker */
  readonly destination?: string
  /** Your sources, if one has a schema. @default those that `WebhookReceiver` bundled with the worker */
  readonly sources?: Schemas
  /** Where the line of each message goes. @default standard output */
  readonly write?: (line: string) => void
  /** How the end of the function's time is waited for. @default a timer */
  readonly after?: After
}

export type ConsumeHandler = (
  event: SQSEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
) => Promise<SQSBatchResponse>

/** The user's handler as an SQS Lambda: each event is handled at least once, and told apart from its repeats. */
export const consume = <Name extends SourceName = SourceName>(
  work: Handler<Name>,
  options: ConsumeOptions = {},
): ConsumeHandler => {
  // It is called with what its sources send.
  const handler = withSchemas(work as unknown as Handler, options.sources ?? schemas)
  let world = options.world
  const environment = options.environment ?? optionalVariable('environment') ?? ''
  const write = options.write ?? writeLine
  const tries = checkTries(options.tries ?? optionalNumber('tries'))
  const pace = options.pace ?? readPace(optionalVariable('pace'))
  const destination = options.destination ?? optionalVariable('destination')
  let share: Share | undefined
  return async (event, context) => {
    // Not before it is called: the module of the handler can then be imported where there is no AWS, as on a laptop.
    world ??= stackWorld()
    const { now } = world
    const startedAt = now()
    const { after } = options
    if (pace.every) share ??= shareEvery(pace.every, startedAt)
    const remaining = () => context.getRemainingTimeInMillis()
    const bounds = { remaining, tries, destination: destination ?? WORKER, pace, share, ...(after && { after }) }
    const { failed } = await batch(world, handler, event.Records.map(toItem), bounds, (item, ended) =>
      write(workLine({ environment, destination, ...item, ended, startedAt, finishedAt: now() })),
    )
    return { batchItemFailures: failed.map(itemIdentifier => ({ itemIdentifier })) }
  }
}

const STORES = {
  work: dynamodbWork,
  failures: workFailures,
  bodies: bodyKeeping,
  keptBodies: bodyFetching,
  visibility: sqsVisibility,
  records: eventRead,
  secrets: secretsManagerKey,
} as const

/** The world as the stack made it, from the variables it set. */
const stackWorld = (): Consuming => ({
  ...storesOver(opened(), stackNames, STORES, systemClock),
  now: systemClock,
  newFence: randomFence,
  random: systemRandom,
})

const opened = () => ({ dynamo: openDynamo(), objects: openObjects(), queue: openQueue(), secrets: openSecrets() })
