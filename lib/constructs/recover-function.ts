import { Aws, Duration, Stack, Validations } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { ENVIRONMENT } from '../../functions/contract/environment.ts'
import { RECOVER_EVERY_SECONDS, RECOVER_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { allow } from './allow.ts'
import { everyCall } from './bundle-settings.ts'
import { NodeFunction } from './node-function.ts'
import { grantPause, type PausingProps } from './pausing.ts'
import { stackTail } from './physical-name.ts'
import { runRegularly } from './schedule.ts'
import { receiverVariables, type Stores, sentTo } from './stores.ts'

/** Every minute: finishes what a receiver began and could not end. It is told where the signing secrets are, and may not read them. */
export const recoverFunction = (
  scope: Construct,
  stores: Stores,
  { sources, client, mappings, ...props }: PausingProps,
): NodeFunction => {
  const { deadLetters } = stores.queue
  const every = Duration.seconds(RECOVER_EVERY_SECONDS)
  const reason = 'The next run, a minute later, does all that a failed one left: there is nothing in its event to keep.'
  const recover = new NodeFunction(scope, 'Recover', {
    ...props,
    description: 'Hooklatch: finishes events whose receiver died',
    noDeadLetters: reason,
    entry: 'functions/recover/handler.ts',
    aliases: { '#resolved': sources, ...everyCall(client) },
    timeout: Duration.seconds(RECOVER_TIMEOUT_SECONDS),
    environment: { ...receiverVariables(stores), [ENVIRONMENT.deadLettersUrl]: deadLetters.queueUrl },
  })
  stores.tables.grantRecover(recover.role)
  stores.bucket.grantRead(recover.role)
  stores.secrets.grantReadFingerprintKey(recover.role)
  grantPause(recover, mappings)
  for (const queue of sentTo(stores)) queue.grantSend(recover.role)
  deadLetters.grant(recover.role, 'sqs:SendMessage').assertSuccess()
  grantEmpty(recover)
  runRegularly(recover, { every, within: every, description: 'Hooklatch: starts the recover function', reason })
  return recover
}

/** The template does not know the queues of destinations that were removed: only what the names of all our queues end with. */
const grantEmpty = (recover: NodeFunction): void => {
  const stack = Stack.of(recover)
  const tail = stackTail(recover)
  const queues = stack.formatArn({ service: 'sqs', resource: `*-${tail}` })
  allow(recover.role, ['sqs:ReceiveMessage', 'sqs:DeleteMessage'], [queues])
  const place = `${stack.region}:${stack.account}`
    .replace(Aws.REGION, '<AWS::Region>')
    .replace(Aws.ACCOUNT_ID, '<AWS::AccountId>')
  Validations.of(recover.role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:sqs:${place}:*-${JSON.stringify(stack.resolve(tail))}]`,
    reason: 'It empties the queue that a removed destination left behind, which the template does not name any more.',
  })
}
