import { Validations } from 'aws-cdk-lib'
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { grantKey, KEY_READ } from './encryption.ts'
import type { NodeFunction } from './node-function.ts'

export interface Subscription {
  /** A contract: Lambda takes one mapping per queue and function, so another id could not be created beside the old one. */
  readonly id: string
  readonly queue: Queue
  /** From 2 to 1,000 calls at once. */
  readonly maxConcurrency: number
  /** @default 10, and 1 of a FIFO queue */
  readonly batchSize?: number
}

/**
 * Calls the function with up to ten messages; those it names in its answer come back, the others are deleted. With one of a FIFO
 * queue: what waits behind a message that failed would come back with it, and every coming back counts towards the dead letters.
 */
export const subscribe = (consumer: NodeFunction, { id, queue, maxConcurrency, batchSize }: Subscription): void => {
  // Not `SqsEventSource`: it adds GetQueueUrl and ChangeMessageVisibility, which a mapping does not call. The worker calls the second.
  queue.grant(consumer.role, 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes').assertSuccess()
  grantKey(queue.encryptionMasterKey, 'sqs', consumer.role, KEY_READ)
  const mapping = new EventSourceMapping(consumer, id, {
    target: consumer.function,
    eventSourceArn: queue.queueArn,
    batchSize: batchSize ?? (queue.fifo ? 1 : 10),
    reportBatchItemFailures: true,
    maxConcurrency,
  })
  Validations.of(mapping).acknowledge({
    id: 'Serverless-LambdaEventSourceMappingDestination',
    reason: 'SQS mappings have none: the redrive policy of the queue says where a message goes that keeps failing.',
  })
}
