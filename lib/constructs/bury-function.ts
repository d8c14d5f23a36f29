import { Duration } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { BURY_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { BURIED_BODY_SECONDS } from '../../functions/contract/queues.ts'
import { everyCall } from './bundle-settings.ts'
import { type FunctionDefaults, NodeFunction } from './node-function.ts'
import { consumerVariables, destinationVariable, type Stores } from './stores.ts'
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
  stores.tables.grantConsume(bury.role)
  stores.bucket.grantRead(bury.role)
  stores.bucket.grantWrite(bury.role, BURIED_BODY_SECONDS)
  stores.secrets.grantReadFingerprintKey(bury.role)
  const { queue, ordered } = stores
  subscribe(bury, { id: 'FromDeadLetters', queue: queue.deadLetters, maxConcurrency: MAX_CONCURRENCY })
  if (ordered) {
    subscribe(bury, { id: 'FromOrderedDeadLetters', queue: ordered.deadLetters, maxConcurrency: MAX_CONCURRENCY })
  }
  for (const [name, { deadLetters }] of Object.entries(stores.destinationQueues)) {
    subscribe(bury, { id: `FromDeadLettersOf-${name}`, queue: deadLetters, maxConcurrency: MAX_CONCURRENCY })
  }
  if (stores.several) {
    const id = 'FromDeadLettersOfSeveral'
    subscribe(bury, { id, queue: stores.several.deadLetters, maxConcurrency: MAX_CONCURRENCY })
  }
  return bury
}
