import { Duration } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { RECEIVE_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { IN_TRANSIT_BODY_SECONDS } from '../../functions/contract/queues.ts'
import { CLIENT_MODULES } from './bundle-settings.ts'
import { countLines } from './line-metrics.ts'
import { type FunctionDefaults, NodeFunction } from './node-function.ts'
import { publisherVariables, type Stores, sentTo } from './stores.ts'

export interface PublishProps extends FunctionDefaults {
  /** The file that takes the place of `#sources`; a module, where a source has a schema. */
  readonly sources: string
  /** The file that takes the place of `#destinations`. */
  readonly destinations: string
  /** The user's own. */
  readonly domain: string | undefined
}

/** From one of your own services to the queue. It verifies no signatures, so it may not read the secrets for them. */
export const publishFunction = (
  scope: Construct,
  stores: Stores,
  { sources, destinations, domain, client = 'lean', ...props }: PublishProps,
) => {
  const publish = new NodeFunction(scope, 'Publish', {
    ...props,
    description: 'Hooklatch: claims and queues the events of your own services',
    noDeadLetters:
      'It is only called synchronously: a failed request is its client’s to repeat, and counted as an error.',
    entry: 'functions/publish/handler.ts',
    aliases: { '#sources': sources, '#destinations': destinations, '#aws': CLIENT_MODULES[client]['#aws'] },
    timeout: Duration.seconds(RECEIVE_TIMEOUT_SECONDS),
    environment: publisherVariables(stores, domain),
  })
  countLines(publish)
  stores.tables.grantReceive(publish.role)
  stores.bucket.grantWrite(publish.role, IN_TRANSIT_BODY_SECONDS)
  stores.secrets.grantReadFingerprintKey(publish.role)
  for (const queue of sentTo(stores)) queue.grantSend(publish.role)
  return publish
}
