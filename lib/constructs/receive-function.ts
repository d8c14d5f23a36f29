import { Duration } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { RECEIVE_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { IN_TRANSIT_BODY_SECONDS } from '../../functions/contract/queues.ts'
import { type AwsClient, CLIENT_MODULES, QUICK_BUILTINS } from './bundle-settings.ts'
import { countLines } from './line-metrics.ts'
import { type FunctionDefaults, NodeFunction, type NodeFunctionProps } from './node-function.ts'
import { receiverVariables, type Stores, sentTo } from './stores.ts'

export interface ReceiveProps extends FunctionDefaults, Pick<NodeFunctionProps, 'memorySize' | 'reservedConcurrency'> {
  /** The file that takes the place of `#resolved`. */
  readonly sources: string
  /** A sender among them hands its secret over, and the function stores it while an operator awaits it. */
  readonly takesSecrets: boolean
  /** The user's own. */
  readonly domain: string | undefined
}

/** Which files take the place of which imports. */
export const receiveAliases = (sources: string, client: AwsClient): Readonly<Record<string, string>> => ({
  '#resolved': sources,
  '#aws': CLIENT_MODULES[client]['#aws'],
  ...(client === 'lean' && QUICK_BUILTINS),
})

/** From a delivery to the queue. */
export const receiveFunction = (
  scope: Construct,
  stores: Stores,
  { sources, takesSecrets, domain, client = 'lean', ...props }: ReceiveProps,
) => {
  const receive = new NodeFunction(scope, 'Receive', {
    ...props,
    description: 'Hooklatch: verifies, claims and queues deliveries',
    noDeadLetters:
      'It is only called synchronously: a failed delivery is the sender’s to repeat, and counted as an error.',
    entry: 'functions/receive/handler.ts',
    aliases: receiveAliases(sources, client),
    awaitsAtStart: true,
    timeout: Duration.seconds(RECEIVE_TIMEOUT_SECONDS),
    environment: receiverVariables(stores, domain),
  })
  countLines(receive)
  stores.tables.grantReceive(receive.role)
  stores.bucket.grantWrite(receive.role, IN_TRANSIT_BODY_SECONDS)
  stores.secrets.grantRead(receive.role)
  if (takesSecrets) stores.secrets.grantChange(receive.role)
  for (const queue of sentTo(stores)) queue.grantSend(receive.role)
  return receive
}
