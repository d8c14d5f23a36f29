import { Duration } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { ENVIRONMENT } from '../../functions/contract/environment.ts'
import { FAN_OUT_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { SEVERAL_NAME } from '../../functions/contract/queues.ts'
import { everyCall } from './bundle-settings.ts'
import { type FunctionDefaults, NodeFunction } from './node-function.ts'
import type { EventQueue } from './queue.ts'
import { grantConsume, receiverVariables, type Stores, sentTo } from './stores.ts'
import { subscribe } from './subscription.ts'

export interface FanOutProps extends FunctionDefaults {
  /** The file that takes the place of `#resolved`. */
  readonly sources: string
  readonly queue: EventQueue
}

const MAX_CONCURRENCY = 10

/** Makes a copy for each destination of an event that has several. It runs no code of the user's. */
export const fanOutFunction = (
  scope: Construct,
  stores: Stores,
  { sources, queue, client, ...props }: FanOutProps,
): NodeFunction => {
  const { [ENVIRONMENT.signingSecrets]: _, ...told } = receiverVariables(stores)
  const made = new NodeFunction(scope, 'FanOut', {
    ...props,
    description: 'Hooklatch: makes a copy of an event for each of its destinations',
    noDeadLetters: 'It is only called for messages, and their queue has a dead-letter queue of its own.',
    entry: 'functions/fan-out/handler.ts',
    aliases: { '#resolved': sources, ...everyCall(client) },
    timeout: Duration.seconds(FAN_OUT_TIMEOUT_SECONDS),
    environment: { ...told, [ENVIRONMENT.destination]: SEVERAL_NAME },
  })
  grantConsume(stores, made.role)
  for (const each of sentTo(stores)) if (each !== queue) each.grantSend(made.role)
  queue.queue.grant(made.role, 'sqs:ChangeMessageVisibility').assertSuccess()
  subscribe(made, { id: 'FromQueue', queue: queue.queue, maxConcurrency: MAX_CONCURRENCY })
  return made
}
