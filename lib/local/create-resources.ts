import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  CreateBucketCommand,
  HeadBucketCommand,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import { DEAD_LETTERS, QUEUE } from '../../functions/contract/queues.ts'
import { BODIES_TABLE, BODY_RETENTION_DAYS, bodyPrefix, EVENTS_TABLE } from '../../functions/contract/tables.ts'
import type { Resources } from '../connect/instance.ts'
import { createTable } from './create-table.ts'

export interface Clients {
  readonly tables: DynamoDBClient
  readonly sqs: SQSClient
  readonly s3: S3Client
}

const NAMES = {
  eventsTable: 'hooklatch-events',
  bodiesTable: 'hooklatch-bodies',
  bodiesBucket: 'hooklatch-bodies',
  queue: 'hooklatch-events',
  orderedQueue: 'hooklatch-events.fifo',
  deadLetters: 'hooklatch-dead-letters',
  orderedDeadLetters: 'hooklatch-dead-letters.fifo',
} as const

/**
 * What the stack creates in AWS, created in the embedded engines from the same definitions. Running it again changes nothing,
 * so a restart on kept data finds its own. `deletesExpired: false` leaves TTL off: under a frozen clock the engine's own
 * clock would delete records that are still remembered.
 */
export const createResources = async (clients: Clients, { deletesExpired = true } = {}): Promise<Resources> => {
  const [queues] = await Promise.all([
    createQueues(clients.sqs),
    createTable(clients.tables, NAMES.eventsTable, EVENTS_TABLE, deletesExpired),
    createTable(clients.tables, NAMES.bodiesTable, BODIES_TABLE, deletesExpired),
    createBucket(clients.s3),
  ])
  const { eventsTable, bodiesTable, bodiesBucket } = NAMES
  return { eventsTable, bodiesTable, bodiesBucket, ...queues }
}

type QueueUrls = Pick<Resources, 'queueUrl' | 'orderedQueueUrl' | 'deadLettersUrl' | 'orderedDeadLettersUrl'>

const createQueues = async (client: SQSClient): Promise<QueueUrls> => {
  const [standard, ordered] = await Promise.all([
    createQueueAndDeadLetters(client, NAMES.queue, NAMES.deadLetters),
    createQueueAndDeadLetters(client, NAMES.orderedQueue, NAMES.orderedDeadLetters),
  ])
  return {
    queueUrl: standard.url,
    orderedQueueUrl: ordered.url,
    deadLettersUrl: standard.deadLettersUrl,
    orderedDeadLettersUrl: ordered.deadLettersUrl,
  }
}

const createQueueAndDeadLetters = async (client: SQSClient, name: string, deadLetters: string) => {
  const deadLettersUrl = await createQueue(client, deadLetters, {
    MessageRetentionPeriod: String(DEAD_LETTERS.retentionSeconds),
    VisibilityTimeout: String(DEAD_LETTERS.visibilitySeconds),
  })
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLettersUrl, AttributeNames: ['QueueArn'] }),
  )
  const url = await createQueue(client, name, {
    MessageRetentionPeriod: String(QUEUE.retentionSeconds),
    VisibilityTimeout: String(QUEUE.visibilitySeconds),
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: Attributes?.QueueArn,
      maxReceiveCount: QUEUE.maxReceiveCount,
    }),
  })
  return { url, deadLettersUrl }
}

/** Attributes are set after creation: creating an existing queue with other attributes is an error in SQS. */
const createQueue = async (client: SQSClient, name: string, attributes: Record<string, string>): Promise<string> => {
  const kind = name.endsWith('.fifo') ? { Attributes: { FifoQueue: 'true' } } : {}
  await client.send(new CreateQueueCommand({ QueueName: name, ...kind }))
  // A kept queue answers with the URL of an earlier run, whose port is gone.
  const endpoint = await client.config.endpoint?.()
  if (endpoint === undefined) throw new Error('the SQS client of the local instance has no endpoint')
  const queueUrl = `${endpoint.protocol}//${endpoint.hostname}:${endpoint.port}/000000000000/${name}`
  await client.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes: attributes }))
  return queueUrl
}

const createBucket = async (client: S3Client): Promise<void> => {
  const Bucket = NAMES.bodiesBucket
  const exists = await client.send(new HeadBucketCommand({ Bucket })).then(
    () => true,
    () => false,
  )
  if (!exists) await client.send(new CreateBucketCommand({ Bucket }))
  await client.send(
    new PutBucketLifecycleConfigurationCommand({
      Bucket,
      LifecycleConfiguration: {
        Rules: BODY_RETENTION_DAYS.map(days => ({
          ID: `${days}-days`,
          Status: 'Enabled',
          Filter: { Prefix: bodyPrefix(days) },
          Expiration: { Days: days },
        })),
      },
    }),
  )
}
