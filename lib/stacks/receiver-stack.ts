import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Topic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import {
  type DestinationOutput,
  OUTPUTS,
  type OutputName,
  urlDescription,
  urlOutput,
} from '../../functions/contract/outputs.ts'
import { type Destination, type Destinations, kindOf } from '../../functions/domain/destinations.ts'
import {
  KEY_ARN,
  mistakesOf,
  type PropRule,
  type PropRules,
  TOPIC_ARN,
  throwMistakes,
} from '../constructs/prop-rules.ts'
import type { EventQueue } from '../constructs/queue.ts'
import { receiverMistakes, type WebhookReceiverProps } from '../constructs/receiver-props.ts'
import { WebhookReceiver } from '../constructs/webhook-receiver.ts'

export interface ReceiverStackProps extends WebhookReceiverProps, Omit<StackProps, 'terminationProtection'> {
  /** In place of `alarmTopic`, for whoever has only its ARN. */
  readonly alarmTopicArn?: string | undefined
  /** In place of `encryptionKey`. Its own policy has to let CloudWatch Logs use it: docs/deploy.md has the statement. */
  readonly encryptionKeyArn?: string | undefined
}

/** A receiver as a stack of its own. Protected from deletion with its data: its URLs are what the senders know. */
export class ReceiverStack extends Stack {
  readonly receiver: WebhookReceiver

  constructor(scope: Construct, id: string, props: ReceiverStackProps) {
    super(scope, id, { ...props, terminationProtection: !props.throwAway })
    throwMistakes([...receiverMistakes(props), ...mistakesOf(STACK_RULES, props)])
    const { alarmTopicArn, encryptionKeyArn } = props
    const alarmTopic = alarmTopicArn ? Topic.fromTopicArn(this, 'AlarmTopic', alarmTopicArn) : props.alarmTopic
    const encryptionKey = encryptionKeyArn
      ? Key.fromKeyArn(this, 'EncryptionKey', encryptionKeyArn)
      : props.encryptionKey
    this.receiver = new WebhookReceiver(this, 'Receiver', { ...props, alarmTopic, encryptionKey })
    this.outputStores()
    this.outputFunctions()
    this.outputDestinations(props.destinations ?? {})
    const { domain } = this.receiver.ingress.front
    if (domain) {
      const description = 'What the DNS record of your domain is an alias of'
      new CfnOutput(this, 'DomainTarget', { value: domain.dnsName, description })
      this.output('executeApi', props.disableExecuteApiEndpoint ? 'closed' : 'open')
    }
    if (props.api === 'url') this.output('receiveConcurrency', String(props.reservedConcurrency ?? 'unreserved'))
    for (const [source, url] of Object.entries(this.receiver.urls)) {
      new CfnOutput(this, urlOutput(source), { value: url, description: urlDescription(source) })
    }
  }

  private outputStores(): void {
    const { environment, tables, bucket, queue, ordered, secrets, policies } = this.receiver
    this.output('environment', environment)
    this.output('eventsTable', tables.events.tableName)
    this.output('bodiesTable', tables.bodies.tableName)
    this.output('bodiesBucket', bucket.bucket.bucketName)
    this.output('queueUrl', queue.queue.queueUrl)
    this.output('deadLettersUrl', queue.deadLetters.queueUrl)
    if (ordered) {
      this.output('orderedQueueUrl', ordered.queue.queueUrl)
      this.output('orderedDeadLettersUrl', ordered.deadLetters.queueUrl)
    }
    this.output('signingSecrets', secrets.signing.secretArn)
    this.output('fingerprintKey', secrets.fingerprintKey.secretArn)
    this.output('readPolicy', policies.read.managedPolicyArn)
    this.output('bodiesPolicy', policies.bodies.managedPolicyArn)
    this.output('replayPolicy', policies.replay.managedPolicyArn)
    this.output('secretsPolicy', policies.secrets.managedPolicyArn)
    this.output('erasePolicy', policies.erase.managedPolicyArn)
  }

  private outputFunctions(): void {
    const { receive, publish, worker, bury, recover, operate, fanOut, reconcile, apiKeys, alarms } = this.receiver
    this.output('receiveFunction', receive.function.functionName)
    if (publish) {
      this.output('publishFunction', publish.function.functionName)
      this.output('publishLogs', publish.function.logGroup.logGroupName)
    }
    this.output('workerFunction', worker.functionName)
    this.output('buryFunction', bury.function.functionName)
    this.output('recoverFunction', recover.function.functionName)
    this.output('operateFunction', operate.function.functionName)
    this.output('receiveLogs', receive.function.logGroup.logGroupName)
    this.output('workerLogs', worker.logGroup.logGroupName)
    this.output('buryLogs', bury.function.logGroup.logGroupName)
    this.output('recoverLogs', recover.function.logGroup.logGroupName)
    this.output('operateLogs', operate.function.logGroup.logGroupName)
    if (fanOut) this.output('fanOutLogs', fanOut.logGroup.logGroupName)
    this.output('alarmPrefix', alarms.namePrefix)
    if (reconcile) {
      this.output('reconcileFunction', reconcile.function.functionName)
      this.output('reconcileLogs', reconcile.function.logGroup.logGroupName)
      const arns = Object.entries(apiKeys).map(([source, { secretArn }]) => [source, secretArn])
      this.output('apiKeys', this.toJsonString(Object.fromEntries(arns)))
    }
  }

  private outputDestinations(data: Destinations): void {
    const { destinations, destinationQueues } = this.receiver
    if (Object.keys(destinations).length === 0) return
    const said = Object.entries(destinations).map(([name, { functionName, logGroup }]) => {
      const { queue, deadLetters } = destinationQueues[name] as EventQueue
      const output: DestinationOutput = {
        kind: kindOf(data[name] as Destination),
        queueUrl: queue.queueUrl,
        deadLettersUrl: deadLetters.queueUrl,
        function: functionName,
        logs: logGroup.logGroupName,
      }
      return [name, output]
    })
    this.output('destinations', this.toJsonString(Object.fromEntries(said)))
  }

  private output(name: OutputName, value: string): void {
    new CfnOutput(this, OUTPUTS[name], { value })
  }
}

const insteadOf = (name: keyof WebhookReceiverProps): PropRule => ({
  expected: `nothing: there is an ${name} already`,
  holds: (_, { [name]: given }) => given === undefined,
  takesNoToken: true,
})

/** What the stack adds to the props of its receiver. CDK checks those of a stack. */
const STACK_RULES = {
  alarmTopicArn: [TOPIC_ARN, insteadOf('alarmTopic')],
  encryptionKeyArn: [KEY_ARN, insteadOf('encryptionKey')],
} satisfies PropRules<'alarmTopicArn' | 'encryptionKeyArn'>
