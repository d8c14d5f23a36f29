import { Duration } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { BURY_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { everyCall } from './bundle-settings.ts'
import { type FunctionDefaults, NodeFunction } from './node-function.ts'
import type { EventQueue } from './queue.ts'
import { consumerVariables, destinationVariable, grantConsume, type Stores } from './stores.ts'
import { subscribe } from './subscription.ts'

/** Few, so a flood of dead letters takes no concurrency from deliveries. Two is the least that Lambda allows. */
const MAX_CONCURRENCY = 2

export interface BuryProps extends FunctionDefaults {
  /** Of the worker: it says which events had some left. */
  readonly tries?: number | undefined
}

/** From the dead letters to `failed`. */
export const buryFunction = (
  scope: Construct,
  stores: Stores,
  { client, tries, ...props }: BuryProps,
): NodeFunction => {
  const bury = new NodeFunction(scope, 'Bury', {
    ...props,
    description: 'Hooklatch: keeps the bodies of dead letters and marks their events as failed',
    noDeadLetters:
      'It is only called for dead letters: one that it cannot bury stays in their queue, and an alarm goes off.',
    entry: 'functions/bury/handler.ts',
    aliases: everyCall(client),
    timeout: Duration.seconds(BURY_TIMEOUT_SECONDS),
    environment: { ...consumerVariables(stores, tries), ...destinationVariable(stores) },
  })
  grantConsume(stores, bury.role)
  const { queue, ordered, destinationQueues, several } = stores
  const subscriptions: readonly (readonly [id: string, queue: EventQueue | undefined])[] = [
    ['FromDeadLetters', queue],
    ['FromOrderedDeadLetters', ordered],
    ...Object.entries(destinationQueues).map(([name, each]) => [`FromDeadLettersOf-${name}`, each] as const),
    ['FromDeadLettersOfSeveral', several],
  ]
  for (const [id, from] of subscriptions) {
    if (from) subscribe(bury, { id, queue: from.deadLetters, maxConcurrency: MAX_CONCURRENCY })
  }
  return bury
}
