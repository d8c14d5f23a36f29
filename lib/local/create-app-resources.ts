import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import type { Planned } from '../app/plan-app.ts'
import type { LocalCreating } from '../connect/local-clients.ts'
import { createBucket } from './create-bucket.ts'
import { createQueue } from './create-queue.ts'
import { ensureTable } from './ensure-table.ts'

/** The app's own tables, queues and buckets, as its template describes them. Running it again changes nothing. */
export const createAppResources = async (
  creating: LocalCreating,
  planned: readonly Planned[],
  { deletesExpired }: { readonly deletesExpired: boolean },
): Promise<void> => {
  const create = {
    table: (each: Planned) => createAppTable(creating, each, deletesExpired),
    queue: (each: Planned) => createAppQueue(creating, each),
    bucket: ({ name }: Planned) => createBucket(creating, name),
  } satisfies Record<Planned['service'], (each: Planned) => Promise<void>>
  const later = planned.filter(hasDeadLetters)
  await Promise.all(planned.filter(each => !later.includes(each)).map(each => create[each.service](each)))
  // SQS wants the queue for dead letters to exist.
  await Promise.all(later.map(each => create[each.service](each)))
}

const hasDeadLetters = ({ properties }: Planned): boolean => properties.RedrivePolicy !== undefined

const createAppTable = (
  { tables }: LocalCreating,
  { name, properties }: Planned,
  deletesExpired: boolean,
): Promise<void> => {
  const said = properties as Partial<CreateTableCommandInput> & { readonly TimeToLiveSpecification?: TimeToLive }
  const { AttributeName, Enabled = true } = said.TimeToLiveSpecification ?? {}
  return ensureTable(tables, {
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

const createAppQueue = async (creating: LocalCreating, { name, properties }: Planned): Promise<void> => {
  const said = QUEUE_ATTRIBUTES.filter(attribute => properties[attribute] !== undefined)
  const texts = said.map(attribute => [attribute, asText(properties[attribute])])
  await createQueue(creating, name, Object.fromEntries(texts))
}

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
