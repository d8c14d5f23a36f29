import { resolve } from 'node:path'
import type { Duration } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { everyCall } from './bundle-settings.ts'
import { type FunctionDefaults, type Network, NodeFunction } from './node-function.ts'
import { grantConsume, queuesOf, type Stores, workerVariables } from './stores.ts'
import { subscribe } from './subscription.ts'

export interface WorkerProps extends FunctionDefaults {
  readonly timeout: Duration
  /** @default 'functions/worker/handler.ts' of this package */
  readonly entry?: string | undefined
  /** For each queue. @default 10 */
  readonly maxConcurrency?: number | undefined
  readonly memorySize?: number | undefined
  /** Calls of it with one event. @default 16, and 8 from a FIFO queue */
  readonly tries?: number | undefined
  /** The module of the sources, if one of them has a schema. @default - nothing is checked */
  readonly schemas?: string | undefined
  /** @default - Lambda's own */
  readonly network?: Network | undefined
}

/** From the queue to done: the user's code. It sends no message and sees no secret of a sender. */
export const workerFunction = (
  scope: Construct,
  stores: Stores,
  { entry, maxConcurrency = 10, client, tries, schemas, ...props }: WorkerProps,
): NodeFunction => {
  const worker = new NodeFunction(scope, 'Worker', {
    ...props,
    description: 'Hooklatch: handles the events of the queue',
    noDeadLetters: 'It is only called for messages, and their queue has a dead-letter queue of its own.',
    entry: entry === undefined ? 'functions/worker/handler.ts' : resolve(entry),
    aliases: { ...everyCall(client), ...(schemas !== undefined && { '#schemas': schemas }) },
    environment: workerVariables(stores, tries),
  })
  grantConsume(stores, worker.role)
  for (const { queue } of queuesOf(stores)) queue.grant(worker.role, 'sqs:ChangeMessageVisibility').assertSuccess()
  const { queue, ordered } = stores
  subscribe(worker, { id: 'FromQueue', queue: queue.queue, maxConcurrency })
  if (ordered) subscribe(worker, { id: 'FromOrderedQueue', queue: ordered.queue, maxConcurrency })
  return worker
}
