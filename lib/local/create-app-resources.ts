import type { CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { SQSClient } from '@aws-sdk/client-sqs'
import type { Planned } from '../app/plan-app.ts'
import { createBucket } from './create-bucket.ts'
import { createQueue } from './create-queue.ts'
import type { Clients } from './create-resources.ts'
import { ensureTable } from './ensure-table.ts'

/** The app's own tables, queues and buckets, as its template describes them. Running it again changes nothing. */
export const createAppResources = async (
  { tables, sqs, s3 }: Clients,
  planned: readonly Planned[],
  { deletesExpired }: { readonly deletesExpired: boolean },
): Promise<void> => {
  const create = {
    table: (each: Planned) => createAppTable(tables, each, deletesExpired),
    queue: (each: Planned) => createAppQueue(sqs, each),
    bucket: ({ name }: Planned) => createBucket(s3, name),
  } satisfies Record<Planned['service'], (each: Planned) => Promise<void>>
  const later = planned.filter(hasDeadLetters)
  await Promise.all(planned.filter(each => !later.includes(each)).map(each => create[each.service](each)))
  // SQS wants the queue for dead letters to exist.
  await Promise.all(later.map(each => create[each.service](each)))
}

const hasDeadLetters = ({ properties }: Planned): boolean => properties.RedrivePolicy !== undefined

const createAppTable = (
  client: DynamoDBClient,
  { name, properties }: Planned,
  deletesExpired: boolean,
): Promise<void> => {
  const said = properties as Partial<CreateTableCommandInput> & { readonly TimeToLiveSpecification?: TimeToLive }
  const { AttributeName, Enabled = true } = said.TimeToLiveSpecification ?? {}
  return ensureTable(client, {
    TableName: name,
    KeySchema: said.KeySchema,
    AttributeDefinitions: said.AttributeDefinitions,
    ...indexes('GlobalSecondaryIndexes', said.GlobalSecondaryIndexes),
    ...indexes('LocalSecondaryIndexes', said.LocalSecondaryIndexes),
    timeToLive: deletesExpired && Enabled ? AttributeName : undefined,
  })
}

interface TimeToLive {
  readonly AttributeName?: string
  readonly Enabled?: boolean
}

type Index = NonNullable<CreateTableCommandInput['LocalSecondaryIndexes']>[number]

/** What an index is, without what it may cost. */
const indexes = (name: 'GlobalSecondaryIndexes' | 'LocalSecondaryIndexes', all: readonly Index[] = []) =>
  all.length === 0
    ? {}
    : { [name]: all.map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection })) }

const QUEUE_ATTRIBUTES = [
  'ContentBasedDeduplication',
  'DelaySeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'RedrivePolicy',
  'VisibilityTimeout',
]

const createAppQueue = async (client: SQSClient, { name, properties }: Planned): Promise<void> => {
  const said = QUEUE_ATTRIBUTES.filter(attribute => properties[attribute] !== undefined)
  const texts = said.map(attribute => [attribute, asText(properties[attribute])])
  await createQueue(client, name, Object.fromEntries(texts))
}

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
