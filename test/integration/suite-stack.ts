import { join } from 'node:path'
import { type App, CfnOutput, RemovalPolicy } from 'aws-cdk-lib'
import { EventBus, Match, Rule } from 'aws-cdk-lib/aws-events'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { ReceiverStack, type ReceiverStackProps } from '../../lib/stacks/receiver-stack.ts'
import destinations from './destinations.ts'
import sources, { scheduled, WITHOUT_ROUTES } from './sources.ts'

export interface SuiteStackProps extends Omit<ReceiverStackProps, 'sources' | 'destinations'> {
  readonly destinations: boolean
  /** Compares `stripe` with its sender's list. */
  readonly reconciler: boolean
}

/** The receiver of the suite, with what a team would have already: a queue, and a bus. */
export const suiteStack = (app: App, id: string, { destinations: has, reconciler, ...props }: SuiteStackProps) => {
  const own = has ? named(id) : undefined
  const all = own ? sources : WITHOUT_ROUTES
  const stack = new ReceiverStack(app, id, {
    sources: reconciler ? scheduled(all) : all,
    ...(own && { destinations: own }),
    environment: 'integration',
    worker: join(import.meta.dirname, 'worker.ts'),
    tries: 2,
    ...props,
  })
  if (own) addOwn(stack, own)
  if (props.api === 'url') addPublisher(stack)
  return stack
}

/** Two stacks of one account have a queue and a bus each. */
const named = (id: string) => ({
  ...destinations,
  crm: { queue: `${id}-crm` },
  all: { bus: `${id}-company` },
})

/** The rule matches all that comes from the receiver. */
const addOwn = (stack: ReceiverStack, { crm, all }: ReturnType<typeof named>): void => {
  const removalPolicy = RemovalPolicy.DESTROY
  const queue = new Queue(stack, 'Crm', { queueName: crm.queue, removalPolicy })
  const bus = new EventBus(stack, 'Company', { eventBusName: all.bus })
  const onBus = new Queue(stack, 'OnBus', { removalPolicy })
  new Rule(stack, 'All', {
    eventBus: bus,
    eventPattern: { source: Match.prefix('hooklatch.') },
    targets: [new SqsQueue(onBus)],
  })
  trustService(stack)
  new CfnOutput(stack, 'CrmQueueUrl', { value: queue.queueUrl })
  new CfnOutput(stack, 'OnBusQueueUrl', { value: onBus.queueUrl })
}

/** A service of the team's, which may do nothing else. */
const addPublisher = (stack: ReceiverStack): void => {
  const role = new Role(stack, 'Publisher', { assumedBy: new AccountRootPrincipal() })
  stack.receiver.grantPublish(role)
  new CfnOutput(stack, 'PublisherRole', { value: role.roleArn })
}

/** A certificate of the suite's own, on the machine where an emulator runs the functions. */
const trustService = (stack: ReceiverStack): void => {
  const { legacy } = stack.receiver.destinations as Partial<typeof stack.receiver.destinations>
  if (!legacy) return
  legacy.addEnvironment('NODE_EXTRA_CA_CERTS', process.env.NODE_EXTRA_CA_CERTS ?? '')
  const secret = stack.node.findAll().find(each => each instanceof Secret && each.node.id === 'SigningSecret') as Secret
  new CfnOutput(stack, 'LegacySecret', { value: secret.secretArn })
}
