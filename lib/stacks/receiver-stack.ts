import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { WebhookReceiver, type WebhookReceiverProps } from '../constructs/webhook-receiver.ts'

export interface ReceiverStackProps extends WebhookReceiverProps, Omit<StackProps, 'terminationProtection'> {}

/** A receiver as a stack of its own. Protected from deletion with its data: its URLs are what the senders know. */
export class ReceiverStack extends Stack {
  readonly receiver: WebhookReceiver

  constructor(scope: Construct, id: string, props: ReceiverStackProps) {
    super(scope, id, { ...props, terminationProtection: !props.throwAway })
    this.receiver = new WebhookReceiver(this, 'Receiver', props)
    const { urls, environment, tables, bucket, queue, ordered, secrets, policies } = this.receiver
    this.output('Environment', environment)
    this.output('EventsTable', tables.events.tableName)
    this.output('BodiesTable', tables.bodies.tableName)
    this.output('BodiesBucket', bucket.bucket.bucketName)
    this.output('QueueUrl', queue.queue.queueUrl)
    this.output('DeadLettersUrl', queue.deadLetters.queueUrl)
    if (ordered) {
      this.output('OrderedQueueUrl', ordered.queue.queueUrl)
      this.output('OrderedDeadLettersUrl', ordered.deadLetters.queueUrl)
    }
    this.output('SigningSecrets', secrets.signing.secretArn)
    this.output('FingerprintKey', secrets.fingerprintKey.secretArn)
    this.output('ReadPolicy', policies.read.managedPolicyArn)
    this.output('BodiesPolicy', policies.bodies.managedPolicyArn)
    this.output('ReplayPolicy', policies.replay.managedPolicyArn)
    const { publish, worker, bury, recover } = this.receiver
    this.output('WorkerFunction', worker.functionName)
    this.output('BuryFunction', bury.function.functionName)
    this.output('RecoverFunction', recover.function.functionName)
    if (publish) this.output('PublishFunction', publish.function.functionName)
    for (const [source, url] of Object.entries(urls)) {
      this.output(`Url${pascalCase(source)}`, url, `Where ${source} posts to`)
    }
  }

  private output(id: string, value: string, description?: string): void {
    new CfnOutput(this, id, { value, ...(description && { description }) })
  }
}

/** CloudFormation allows letters and digits only: `my-shop` becomes `MyShop`. */
const pascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map(part => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
