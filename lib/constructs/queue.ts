import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib'
import type { IGrantable } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { type CfnQueue, DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { DEAD_LETTERS, QUEUE, visibilitySeconds } from '../../functions/contract/queues.ts'
import { grantKey, KEY_WRITE } from './encryption.ts'
import type { Lifetime } from './lifetime.ts'
import { physicalName } from './physical-name.ts'

export interface EventQueueProps {
  readonly lifetime: Lifetime
  /** Of the function behind the queue: a message stays hidden six times as long. */
  readonly consumerTimeout: Duration
  /** FIFO, for events that are handled in order. @default false */
  readonly ordered?: boolean
  /** Of both. @default - SQS's own */
  readonly encryptionKey?: IKey | undefined
}

/** Where accepted events wait, and where those go that nobody could handle. */
export class EventQueue extends Construct {
  readonly queue: Queue
  readonly deadLetters: Queue

  constructor(scope: Construct, id: string, props: EventQueueProps) {
    super(scope, id)
    const { lifetime, consumerTimeout, ordered = false, encryptionKey } = props
    const both = {
      ...(encryptionKey
        ? { encryption: QueueEncryption.KMS, encryptionMasterKey: encryptionKey }
        : { encryption: QueueEncryption.SQS_MANAGED }),
      enforceSSL: true,
      removalPolicy: lifetime.removalPolicy,
      ...(ordered && FIFO),
    }
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...both,
      retentionPeriod: Duration.seconds(DEAD_LETTERS.retentionSeconds),
      visibilityTimeout: Duration.seconds(DEAD_LETTERS.visibilitySeconds),
    })
    // Named, because each of the two points at the other and CloudFormation does not create circles.
    const queueName = `${physicalName(this, MAX_QUEUE_NAME)}${ordered ? FIFO_SUFFIX : ''}`
    this.queue = new Queue(this, 'Queue', {
      ...both,
      queueName,
      retentionPeriod: Duration.seconds(QUEUE.retentionSeconds),
      visibilityTimeout: Duration.seconds(visibilitySeconds(consumerTimeout.toSeconds())),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: QUEUE.maxReceiveCount },
    })
    this.closeDeadLetters(queueName)
  }

  grantSend(grantee: IGrantable): void {
    this.queue.grant(grantee, 'sqs:SendMessage').assertSuccess()
    grantKey(this.queue.encryptionMasterKey, 'sqs', grantee, KEY_WRITE)
  }

  grantMeasure(grantee: IGrantable): void {
    for (const queue of [this.queue, this.deadLetters]) {
      queue.grant(grantee, 'sqs:GetQueueAttributes').assertSuccess()
    }
  }

  /** To every queue but its own. */
  private closeDeadLetters(queueName: string): void {
    const queueArn = Stack.of(this).formatArn({
      service: 'sqs',
      resource: queueName,
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    })
    const deadLetters = this.deadLetters.node.defaultChild as CfnQueue
    deadLetters.redriveAllowPolicy = { redrivePermission: 'byQueue', sourceQueueArns: [queueArn] }
    Validations.of(this.deadLetters).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'It is the dead-letter queue: the bury function empties it, and an alarm says when it does not.',
    })
  }
}

/** Each key has its own order and its own throughput. The sender names every message: equal bodies are different events. */
const FIFO = {
  fifo: true,
  contentBasedDeduplication: false,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
}

const FIFO_SUFFIX = '.fifo'

/** SQS allows 80 characters; five are kept for the suffix. */
const MAX_QUEUE_NAME = 80 - FIFO_SUFFIX.length
