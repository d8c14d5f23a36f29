import { Duration, Validations } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { OPERATE_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { IN_TRANSIT_BODY_SECONDS } from '../../functions/contract/queues.ts'
import { type AwsClient, everyCall } from './bundle-settings.ts'
import { type FunctionDefaults, NodeFunction } from './node-function.ts'
import { grantPause, type MappingsByName } from './pausing.ts'
import { receiverVariables, type Stores, sentTo } from './stores.ts'

export interface OperateProps extends FunctionDefaults {
  /** The file that takes the place of `#resolved`. */
  readonly sources: string
  /** What hands messages to the functions of destinations: each can be paused. */
  readonly mappings: MappingsByName
  /** @default 'lean' */
  readonly client?: AwsClient | undefined
}

/** What operators may change, they have it change: no one else writes audits, and no person can send. Nothing but IAM lets anybody call it. */
export const operateFunction = (
  scope: Construct,
  stores: Stores,
  { sources, client, mappings, ...props }: OperateProps,
): NodeFunction => {
  const operate = new NodeFunction(scope, 'Operate', {
    ...props,
    description: 'Hooklatch: replays and erases events and accepts quarantined deliveries for operators',
    entry: 'functions/operate/handler.ts',
    aliases: { '#resolved': sources, ...everyCall(client) },
    timeout: Duration.seconds(OPERATE_TIMEOUT_SECONDS),
    environment: receiverVariables(stores),
  })
  Validations.of(operate).acknowledge({
    id: 'Serverless-LambdaDLQ',
    reason: 'It is only called synchronously, by an operator who is told what came of it.',
  })
  stores.tables.grantOperate(operate.role)
  stores.bucket.grantRead(operate.role)
  stores.bucket.grantWrite(operate.role, IN_TRANSIT_BODY_SECONDS)
  stores.secrets.grantRead(operate.role)
  grantPause(operate, mappings)
  for (const queue of sentTo(stores)) queue.grantSend(operate.role)
  return operate
}
