import { Duration, Stack } from 'aws-cdk-lib'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { ENVIRONMENT } from '../../functions/contract/environment.ts'
import { RECONCILE_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { IN_TRANSIT_BODY_SECONDS } from '../../functions/contract/queues.ts'
import type { ReconciledTold } from '../../functions/contract/reconciled.ts'
import type { Source } from '../../functions/domain/source.ts'
import { everyCall } from './bundle-settings.ts'
import { type FunctionDefaults, NodeFunction } from './node-function.ts'
import { runRegularly } from './schedule.ts'
import { publisherVariables, type Stores, sentTo } from './stores.ts'

export interface ReconcileProps extends FunctionDefaults {
  /** The file that takes the place of `#resolved`. */
  readonly sources: string
  /** Those that are compared by schedule. */
  readonly scheduled: readonly Source[]
  /** With their API keys, by source. */
  readonly apiKeys: Readonly<Record<string, Secret>>
  readonly urls: Readonly<Record<string, string>>
}

/**
 * Compares sources with the lists of their senders, and takes what never arrived. It alone can read the API keys, and it cannot read the
 * signing secrets. A lease lets one run at a time do something; concurrency that is reserved would be a deployment that a new account,
 * with ten in all, refuses.
 */
export const reconcileFunction = (
  scope: Construct,
  stores: Stores,
  { sources, scheduled, apiKeys, urls, client, ...props }: ReconcileProps,
): NodeFunction => {
  const told = scheduled.map(({ name }): [string, ReconciledTold] => [
    name,
    { apiKey: apiKeys[name]?.secretArn ?? '', url: urls[name] ?? '' },
  ])
  const reason = 'The next run goes on where a failed one ended: there is nothing in its event to keep.'
  const reconcile = new NodeFunction(scope, 'Reconcile', {
    ...props,
    description: 'Hooklatch: compares with the lists of the senders, and takes what never arrived',
    noDeadLetters: reason,
    entry: 'functions/reconcile/handler.ts',
    aliases: { '#resolved': sources, ...everyCall(client) },
    timeout: Duration.seconds(RECONCILE_TIMEOUT_SECONDS),
    environment: {
      ...publisherVariables(stores),
      [ENVIRONMENT.reconciled]: Stack.of(scope).toJsonString(Object.fromEntries(told)),
    },
  })
  stores.tables.grantReceive(reconcile.role)
  stores.tables.grantWalk(reconcile.role)
  stores.bucket.grantWrite(reconcile.role, IN_TRANSIT_BODY_SECONDS)
  stores.secrets.grantReadFingerprintKey(reconcile.role)
  stores.secrets.grantGet(reconcile.role, ...Object.values(apiKeys))
  for (const queue of sentTo(stores)) queue.grantSend(reconcile.role)
  // As often as the source that is compared most often; the function sees which are due.
  const every = Duration.seconds(Math.min(...scheduled.flatMap(source => source.reconcile?.every ?? [])))
  const description = 'Hooklatch: starts the reconcile function'
  runRegularly(reconcile, { every, within: Duration.minutes(5), description, reason })
  return reconcile
}
