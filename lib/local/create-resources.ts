import { FAN_OUT_TIMEOUT_SECONDS, WORKER_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { DEAD_LETTERS, QUEUE, SEVERAL, visibilitySeconds } from '../../functions/contract/queues.ts'
import { BODIES_TABLE, EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { timingOf } from '../../functions/domain/destination-timing.ts'
import type { Destinations } from '../../functions/domain/destinations.ts'
import type { Resources } from '../connect/instance.ts'
import type { LocalClients, LocalCreating } from '../connect/local-clients.ts'
import { createBucket } from './create-bucket.ts'
import { createQueue } from './create-queue.ts'
import { createTable } from './create-table.ts'

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
 * What the stack creates in AWS, created in the embedded engines from the same definitions, save the bucket's rules, which no engine follows. Running it again changes nothing,
 * so a restart on kept data finds its own. `deletesExpired: false` leaves TTL off: under a frozen clock the engine's own
 * clock would delete records that are still remembered.
 */
export const createResources = async (
  { creating }: Pick<LocalClients, 'creating'>,
  { deletesExpired = true, workerTimeoutSeconds = WORKER_TIMEOUT_SECONDS, destinations = {} as Destinations } = {},
): Promise<Resources> => {
  const [queues, further] = await Promise.all([
    createQueues(creating, visibilitySeconds(workerTimeoutSeconds)),
    createDestinationQueues(creating, destinations),
    createTable(creating.tables, NAMES.eventsTable, EVENTS_TABLE, deletesExpired),
    createTable(creating.tables, NAMES.bodiesTable, BODIES_TABLE, deletesExpired),
    createBucket(creating, NAMES.bodiesBucket),
  ])
  const { eventsTable, bodiesTable, bodiesBucket } = NAMES
  return { eventsTable, bodiesTable, bodiesBucket, ...queues, ...further }
}

type QueueUrls = Pick<Resources, 'queueUrl' | 'orderedQueueUrl' | 'deadLettersUrl' | 'orderedDeadLettersUrl'>

const createQueues = async (creating: LocalCreating, hides: number): Promise<QueueUrls> => {
  const [standard, ordered] = await Promise.all([
    createQueueAndDeadLetters(creating, NAMES.queue, NAMES.deadLetters, hides),
    createQueueAndDeadLetters(creating, NAMES.orderedQueue, NAMES.orderedDeadLetters, hides),
  ])
  return {
    queueUrl: standard.url,
    orderedQueueUrl: ordered.url,
    deadLettersUrl: standard.deadLettersUrl,
    orderedDeadLettersUrl: ordered.deadLettersUrl,
  }
}

type FurtherUrls = Pick<Resources, 'destinations' | 'destinationDeadLetters'>

/** For each destination its own, and one for events with several. */
const createDestinationQueues = async (creating: LocalCreating, destinations: Destinations): Promise<FurtherUrls> => {
  const each = Object.entries(destinations).map(([name, destination]) => {
    return { name, own: `hooklatch-to-${name}`, timeoutSeconds: timingOf(destination, 1).timeoutSeconds }
  })
  const several = { name: SEVERAL, own: 'hooklatch-several', timeoutSeconds: FAN_OUT_TIMEOUT_SECONDS }
  const created = await Promise.all(
    (each.length > 0 ? [...each, several] : []).map(async ({ name, own, timeoutSeconds }) => {
      const hides = visibilitySeconds(timeoutSeconds)
      return { name, ...(await createQueueAndDeadLetters(creating, own, `${own}-dead-letters`, hides)) }
    }),
  )
  return {
    destinations: Object.fromEntries(created.map(({ name, url }) => [name, url])),
    destinationDeadLetters: Object.fromEntries(created.map(({ name, deadLettersUrl }) => [name, deadLettersUrl])),
  }
}

const createQueueAndDeadLetters = async (creating: LocalCreating, name: string, deadLetters: string, hides: number) => {
  const deadLettersUrl = await createQueue(creating, deadLetters, {
    MessageRetentionPeriod: String(DEAD_LETTERS.retentionSeconds),
    VisibilityTimeout: String(DEAD_LETTERS.visibilitySeconds),
  })
  const { Attributes } = await creating.queues<{ Attributes?: { readonly QueueArn?: string } }>('GetQueueAttributes', {
    QueueUrl: deadLettersUrl,
    AttributeNames: ['QueueArn'],
  })
  const url = await createQueue(creating, name, {
    MessageRetentionPeriod: String(QUEUE.retentionSeconds),
    VisibilityTimeout: String(hides),
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: Attributes?.QueueArn,
      maxReceiveCount: QUEUE.maxReceiveCount,
    }),
  })
  return { url, deadLettersUrl }
}
