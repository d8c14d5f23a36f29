import { join } from 'node:path'
import { App, CfnOutput, RemovalPolicy } from 'aws-cdk-lib'
import { EventBus, Match, Rule } from 'aws-cdk-lib/aws-events'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Api } from '../../lib/constructs/ingress.ts'
import { ReceiverStack } from '../../lib/stacks/receiver-stack.ts'
import destinations from './destinations.ts'
import sources, { WITHOUT_ROUTES } from './sources.ts'

// cdk deploy --app 'node test/integration/app.ts' -c prefix=hooklatch-it-1 -c apis=http,rest -c runtime=nodejs22.x -c destinations=yes
const app = new App()
const context = (name: string): string | undefined => app.node.tryGetContext(name)
const runtime = context('runtime')

/** Two stacks of one account have a queue and a bus each. */
const named = (id: string) => ({
  ...destinations,
  crm: { queue: `${id}-crm` },
  all: { bus: `${id}-company` },
})

/** What a team would have already: a queue, and a bus with a rule that matches all that comes from the receiver. */
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
  new CfnOutput(stack, 'CrmQueueUrl', { value: queue.queueUrl })
  new CfnOutput(stack, 'OnBusQueueUrl', { value: onBus.queueUrl })
}

for (const api of (context('apis') ?? 'http,rest').split(',') as Api[]) {
  const id = `${context('prefix') ?? 'hooklatch-it'}-${api}`
  const own = context('destinations') === 'yes' ? named(id) : undefined
  const stack = new ReceiverStack(app, id, {
    ...(own ? { sources, destinations: own } : { sources: WITHOUT_ROUTES }),
    environment: 'integration',
    worker: join(import.meta.dirname, 'worker.ts'),
    api,
    throwAway: true,
    tries: 2,
    runtime: runtime === undefined ? undefined : new Runtime(runtime, RuntimeFamily.NODEJS),
  })
  if (own) addOwn(stack, own)
}
