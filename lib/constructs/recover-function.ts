import { Aws, Duration, Stack, Validations } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { Grant } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { ENVIRONMENT } from '../../functions/contract/environment.ts'
import { RECOVER_EVERY_SECONDS, RECOVER_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { type AwsClient, everyCall } from './bundle-settings.ts'
import { type FunctionDefaults, NodeFunction } from './node-function.ts'
import { grantPause, type MappingsByName } from './pausing.ts'
import { stackTail } from './physical-name.ts'
import { receiverVariables, type Stores, sentTo } from './stores.ts'

export interface RecoverProps extends FunctionDefaults {
  /** The file that takes the place of `#resolved`. */
  readonly sources: string
  /** What hands messages to the functions of destinations: each can be paused. */
  readonly mappings: MappingsByName
  /** @default 'lean' */
  readonly client?: AwsClient | undefined
}

/** Every minute: finishes what a receiver began and could not end. It is told where the signing secrets are, and may not read them. */
export const recoverFunction = (
  scope: Construct,
  stores: Stores,
  { sources, client, mappings, ...props }: RecoverProps,
): NodeFunction => {
  const { deadLetters } = stores.queue
  const recover = new NodeFunction(scope, 'Recover', {
    ...props,
    description: 'Hooklatch: finishes events whose receiver died',
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
  everyMinute(recover)
  return recover
}

/** The template does not know the queues of destinations that were removed: only what the names of all our queues end with. */
const grantEmpty = (recover: NodeFunction): void => {
  const stack = Stack.of(recover)
  const tail = stackTail(recover)
  Grant.addToPrincipal({
    grantee: recover.role,
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage'],
    resourceArns: [stack.formatArn({ service: 'sqs', resource: `*-${tail}` })],
  }).assertSuccess()
  const place = `${stack.region}:${stack.account}`
    .replace(Aws.REGION, '<AWS::Region>')
    .replace(Aws.ACCOUNT_ID, '<AWS::AccountId>')
  Validations.of(recover.role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:sqs:${place}:*-${JSON.stringify(stack.resolve(tail))}]`,
    reason: 'It empties the queue that a removed destination left behind, which the template does not name any more.',
  })
}

/** A run that fails is not repeated, and one that could not start is not kept: the next one sees what it would have seen. */
const everyMinute = (recover: NodeFunction): void => {
  const period = Duration.seconds(RECOVER_EVERY_SECONDS)
  recover.function.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: period })
  const schedule = new Rule(recover, 'Schedule', {
    description: 'Hooklatch: starts the recover function',
    schedule: Schedule.rate(period),
  })
  schedule.addTarget(new LambdaFunction(recover.function, { retryAttempts: 0, maxEventAge: period }))
  const reason = 'The next run, a minute later, does all that a failed one left: there is nothing in its event to keep.'
  Validations.of(recover).acknowledge(
    { id: 'Serverless-LambdaDLQ', reason },
    { id: 'Serverless-LambdaAsyncFailureDestination', reason },
    { id: 'Serverless-EventBusDLQ', reason },
  )
}
