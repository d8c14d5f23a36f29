import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib'
import type { IGrantable } from 'aws-cdk-lib/aws-iam'
import { type CfnQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { DEAD_LETTERS, QUEUE } from '../../functions/contract/queues.ts'
import type { Lifetime } from './lifetime.ts'
import { physicalName } from './physical-name.ts'

/** Where accepted events wait, and where those go that nobody could handle. */
export class EventQueue extends Construct {
  readonly queue: Queue
  readonly deadLetters: Queue

  constructor(scope: Construct, id: string, { removalPolicy }: Lifetime) {
    super(scope, id)
    const both = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, removalPolicy }

    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...both,
      retentionPeriod: Duration.seconds(DEAD_LETTERS.retentionSeconds),
    })
    // Named, because each of the two points at the other and CloudFormation does not create circles.
    const queueName = physicalName(this, MAX_QUEUE_NAME)
    this.queue = new Queue(this, 'Queue', {
      ...both,
      queueName,
      retentionPeriod: Duration.seconds(QUEUE.retentionSeconds),
      visibilityTimeout: Duration.seconds(QUEUE.visibilitySeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: QUEUE.maxReceiveCount },
    })
    const queueArn = Stack.of(this).formatArn({
      service: 'sqs',
      resource: queueName,
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    })
    const deadLetters = this.deadLetters.node.defaultChild as CfnQueue
    deadLetters.redriveAllowPolicy = { redrivePermission: 'byQueue', sourceQueueArns: [queueArn] }
    Validations.of(this.deadLetters).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'It is the dead-letter queue: the last stop, with an alarm on the first message.',
    })
  }

  grantSend(grantee: IGrantable): void {
    this.queue.grant(grantee, 'sqs:SendMessage').assertSuccess()
  }

  grantMeasure(grantee: IGrantable): void {
    for (const queue of [this.queue, this.deadLetters]) {
      queue.grant(grantee, 'sqs:GetQueueAttributes').assertSuccess()
    }
  }
}

/** SQS allows 80 characters; five are kept for `.fifo`. */
const MAX_QUEUE_NAME = 75
