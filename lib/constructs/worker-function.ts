import { resolve } from 'node:path'
import { type Duration, Validations } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { type AwsClient, everyCall } from './bundle-settings.ts'
import { type FunctionDefaults, NodeFunction } from './node-function.ts'
import { consumerVariables, type Stores } from './stores.ts'
import { subscribe } from './subscription.ts'

export interface WorkerProps extends FunctionDefaults {
  readonly timeout: Duration
  /** @default 'functions/worker/handler.ts' of this package */
  readonly entry?: string | undefined
  /** For each queue. @default 10 */
  readonly maxConcurrency?: number | undefined
  readonly memorySize?: number | undefined
  /** @default 'sdk' */
  readonly client?: AwsClient | undefined
}

/** From the queue to done: the user's code. It sends no message and sees no secret. */
export const workerFunction = (
  scope: Construct,
  stores: Stores,
  { entry, maxConcurrency = 10, client, ...props }: WorkerProps,
): NodeFunction => {
  const worker = new NodeFunction(scope, 'Worker', {
    ...props,
    description: 'Hooklatch: handles the events of the queue',
    entry: entry === undefined ? 'functions/worker/handler.ts' : resolve(entry),
    aliases: everyCall(client),
    environment: consumerVariables(stores),
  })
  Validations.of(worker).acknowledge({
    id: 'Serverless-LambdaDLQ',
    reason: 'It is only called for messages, and their queue has a dead-letter queue of its own.',
  })
  stores.tables.grantConsume(worker.role)
  stores.bucket.grantRead(worker.role)
  stores.bucket.grantWrite(worker.role)
  const { queue, ordered } = stores
  subscribe(worker, { id: 'FromQueue', queue: queue.queue, maxConcurrency })
  if (ordered) subscribe(worker, { id: 'FromOrderedQueue', queue: ordered.queue, maxConcurrency })
  return worker
}
