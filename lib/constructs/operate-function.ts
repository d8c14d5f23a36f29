import { Duration } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { OPERATE_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { IN_TRANSIT_BODY_SECONDS } from '../../functions/contract/queues.ts'
import { everyCall } from './bundle-settings.ts'
import { NodeFunction } from './node-function.ts'
import { grantPause, type PausingProps } from './pausing.ts'
import { receiverVariables, type Stores, sentTo } from './stores.ts'

/** What operators may change, they have it change: no one else writes audits, and no person can send. Nothing but IAM lets anybody call it. */
export const operateFunction = (
  scope: Construct,
  stores: Stores,
  { sources, client, mappings, ...props }: PausingProps,
): NodeFunction => {
  const operate = new NodeFunction(scope, 'Operate', {
    ...props,
    description: 'Hooklatch: replays and erases events and accepts quarantined deliveries for operators',
    noDeadLetters: 'It is only called synchronously, by an operator who is told what came of it.',
    entry: 'functions/operate/handler.ts',
    aliases: { '#resolved': sources, ...everyCall(client) },
    timeout: Duration.seconds(OPERATE_TIMEOUT_SECONDS),
    environment: receiverVariables(stores),
  })
  stores.tables.grantOperate(operate.role)
  stores.bucket.grantRead(operate.role)
  stores.bucket.grantWrite(operate.role, IN_TRANSIT_BODY_SECONDS)
  stores.secrets.grantRead(operate.role)
  grantPause(operate, mappings)
  for (const queue of sentTo(stores)) queue.grantSend(operate.role)
  return operate
}
