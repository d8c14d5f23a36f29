import { Stack } from 'aws-cdk-lib'
import type { Role } from 'aws-cdk-lib/aws-iam'
import { ENVIRONMENT, type EnvironmentName } from '../../functions/contract/environment.ts'
import { BURIED_BODY_SECONDS, SEVERAL } from '../../functions/contract/queues.ts'
import type { BodyBucket } from './body-bucket.ts'
import type { EventTables } from './event-tables.ts'
import type { EventQueue } from './queue.ts'
import type { Secrets } from './secrets.ts'

/** Where a receiver keeps what it knows. Each function is told of some of it, and granted what it needs of that. */
export interface Stores {
  readonly environment: string
  readonly tables: EventTables
  readonly bucket: BodyBucket
  readonly queue: EventQueue
  /** The FIFO queue, where a source names an ordering key. */
  readonly ordered: EventQueue | undefined
  readonly secrets: Secrets
  /** The queues of destinations, by name; the worker's are above. */
  readonly destinationQueues: Readonly<Record<string, EventQueue>>
  /** Of events with several destinations, if there can be any. */
  readonly several?: EventQueue | undefined
}

export const queuesOf = ({ queue, ordered }: Pick<Stores, 'queue' | 'ordered'>): readonly EventQueue[] =>
  ordered ? [queue, ordered] : [queue]

/** Every queue that an event can be sent to. */
export const sentTo = (
  stores: Pick<Stores, 'queue' | 'ordered' | 'destinationQueues' | 'several'>,
): readonly EventQueue[] => [
  ...queuesOf(stores),
  ...Object.values(stores.destinationQueues),
  ...(stores.several ? [stores.several] : []),
]

const CONSUMED = ['environment', 'eventsTable', 'bodiesTable', 'bodiesBucket', 'fingerprintKey'] as const

/** What a consumer is told: it sends nothing, and of the secrets needs the key that messages are sealed with. */
export const consumerVariables = (stores: Stores, tries: number | undefined): Record<string, string> => ({
  ...variables(stores, CONSUMED),
  ...(tries !== undefined && { [ENVIRONMENT.tries]: String(tries) }),
})

/** What a consumer may: bring an event to its end, read its body, keep the body of one that failed, and open a sealed message. */
export const grantConsume = ({ tables, bucket, secrets }: Stores, role: Role): void => {
  tables.grantConsume(role)
  bucket.grantRead(role)
  bucket.grantWrite(role, BURIED_BODY_SECONDS)
  secrets.grantReadFingerprintKey(role)
}

/** A worker also says when a message comes back, and so has to know its queue. */
export const workerVariables = (stores: Stores, tries: number | undefined): Record<string, string> => ({
  ...consumerVariables(stores, tries),
  ...variables(stores, ['queueUrl', 'orderedQueueUrl']),
})

/** `domain` is the user's own, and told to those who are called there. */
export const receiverVariables = (stores: Stores, domain?: string): Record<string, string> => ({
  ...variables(stores, STORED),
  ...destinationVariable(stores),
  ...(domain !== undefined && { [ENVIRONMENT.domain]: domain }),
})

/** Where the events of each destination go; absent if there is none. */
export const destinationVariable = ({ destinationQueues, several, tables }: Stores): Record<string, string> => {
  const queues = { ...destinationQueues, ...(several && { [SEVERAL]: several }) }
  const urls = Object.entries(queues).map(([name, { queue }]) => [name, queue.queueUrl])
  if (urls.length === 0) return {}
  return { [ENVIRONMENT.destinations]: Stack.of(tables).toJsonString(Object.fromEntries(urls)) }
}

/** A publisher verifies nothing. */
export const publisherVariables = (stores: Stores, domain?: string): Record<string, string> => {
  const { [ENVIRONMENT.signingSecrets]: _, ...told } = receiverVariables(stores, domain)
  return told
}

/** Not the same for every function that has them. */
const OWN = [
  'deadLettersUrl',
  'tries',
  'domain',
  'destinations',
  'destination',
  'mappings',
  'target',
  'pace',
  'reconciled',
] as const

type StoredName = Exclude<EnvironmentName, (typeof OWN)[number]>

const STORED = (Object.keys(ENVIRONMENT) as EnvironmentName[]).filter(
  (name): name is StoredName => !(OWN as readonly string[]).includes(name),
)

const variables = (stores: Stores, names: readonly StoredName[]): Record<string, string> => {
  const values = valuesOf(stores)
  return Object.fromEntries(
    names.flatMap(name => {
      const value = values[name]
      return value === undefined ? [] : [[ENVIRONMENT[name], value]]
    }),
  )
}

const valuesOf = ({ environment, tables, bucket, queue, ordered, secrets }: Stores) =>
  ({
    environment,
    eventsTable: tables.events.tableName,
    bodiesTable: tables.bodies.tableName,
    bodiesBucket: bucket.bucket.bucketName,
    queueUrl: queue.queue.queueUrl,
    orderedQueueUrl: ordered?.queue.queueUrl,
    signingSecrets: secrets.signing.secretArn,
    fingerprintKey: secrets.fingerprintKey.secretArn,
  }) satisfies Record<RequiredName, string> & { readonly orderedQueueUrl: string | undefined }

type RequiredName = Exclude<StoredName, 'orderedQueueUrl'>
