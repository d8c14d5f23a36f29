import { resolve } from 'node:path'
import { Duration, Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { ENVIRONMENT } from '../../functions/contract/environment.ts'
import { timingOf } from '../../functions/domain/destination-timing.ts'
import { concurrencyOf, type Destination } from '../../functions/domain/destinations.ts'
import { everyCall } from './bundle-settings.ts'
import { type Bound, targetOf } from './destination-target.ts'
import { type FunctionDefaults, type Network, NodeFunction } from './node-function.ts'
import type { EventQueue } from './queue.ts'
import { consumerVariables, grantConsume, type Stores } from './stores.ts'
import { subscribe } from './subscription.ts'

export interface DestinationProps extends FunctionDefaults {
  readonly destination: Destination
  readonly queue: EventQueue
  /** The app's own queue or bus, if the app named it. */
  readonly bound: Bound | undefined
  /** The module of the sources, if one of them has a schema. */
  readonly schemas: string | undefined
  /** For what runs the user's code, or posts to an address inside. @default - none */
  readonly network?: Network | undefined
}

/** Its own role: what the app grants to one destination's function, no other has. */
export const destinationFunction = (
  scope: Construct,
  name: string,
  stores: Stores,
  { destination, queue, bound, schemas, client, network, ...props }: DestinationProps,
): NodeFunction => {
  const { timeoutSeconds, every, waits, batchSize, answerSeconds } = timingOf(destination)
  const pace = { ...(every > 0 && { every }), ...waits }
  const made = new NodeFunction(scope, 'Handler', {
    ...props,
    ...(isInside(destination) && { network }),
    description: `Hooklatch: handles the events of the destination ${name}`,
    noDeadLetters: 'It is only called for messages, and their queue has a dead-letter queue of its own.',
    entry: entryOf(destination),
    aliases: { ...everyCall(client), ...(schemas !== undefined && { '#schemas': schemas }) },
    timeout: Duration.seconds(timeoutSeconds),
    ...('memory' in destination && { memorySize: destination.memory }),
    environment: {
      ...consumerVariables(stores, destination.tries),
      [ENVIRONMENT.queueUrl]: queue.queue.queueUrl,
      [ENVIRONMENT.destination]: name,
      ...(Object.keys(pace).length > 0 && { [ENVIRONMENT.pace]: JSON.stringify(pace) }),
    },
  })
  grantConsume(stores, made.role)
  queue.queue.grant(made.role, 'sqs:ChangeMessageVisibility').assertSuccess()
  const { lifetime, encryptionKey } = props
  const target = targetOf(scope, destination, { bound, role: made.role, lifetime, answerSeconds, encryptionKey })
  if (target !== undefined) {
    made.function.addEnvironment(ENVIRONMENT.target, Stack.of(scope).toJsonString(target))
  }
  subscribe(made, { id: 'FromQueue', queue: queue.queue, maxConcurrency: concurrencyOf(destination), batchSize })
  return made
}

/** Queues and buses are AWS's own: nothing inside is needed for them. */
const isInside = (destination: Destination): boolean =>
  'worker' in destination || ('url' in destination && destination.privateAddresses === true)

const entryOf = (destination: Destination): string => {
  if ('worker' in destination) return resolve(destination.worker)
  if ('queue' in destination) return 'functions/deliver/queue/handler.ts'
  return 'bus' in destination ? 'functions/deliver/bus/handler.ts' : 'functions/deliver/url/handler.ts'
}
