import { DEAD_LETTERS, QUEUE } from '../../functions/contract/queues.ts'
import { BODIES_TABLE, EVENTS_TABLE } from '../../functions/contract/tables.ts'
import type { MemoryAwsOptions } from './memory-aws.ts'

/** What they are called in a memory AWS. */
export const MEMORY_NAMES = {
  eventsTable: 'hooklatch-events',
  bodiesTable: 'hooklatch-bodies',
  bodiesBucket: 'hooklatch-bodies',
  queueUrl: 'memory://sqs/hooklatch-events',
  orderedQueueUrl: 'memory://sqs/hooklatch-events.fifo',
  deadLettersUrl: 'memory://sqs/hooklatch-dead-letters',
  orderedDeadLettersUrl: 'memory://sqs/hooklatch-dead-letters.fifo',
} as const

const { listingIndex, ...events } = EVENTS_TABLE

export const memoryQueue = (deadLettersUrl: string) => ({
  ...QUEUE,
  deadLetters: { url: deadLettersUrl, maxReceiveCount: QUEUE.maxReceiveCount },
})

/** What the stack creates in AWS, from the same definitions. */
export const HOOKLATCH_RESOURCES = {
  tables: {
    [MEMORY_NAMES.eventsTable]: { ...events, indexes: [listingIndex] },
    [MEMORY_NAMES.bodiesTable]: BODIES_TABLE,
  },
  queues: {
    [MEMORY_NAMES.queueUrl]: memoryQueue(MEMORY_NAMES.deadLettersUrl),
    [MEMORY_NAMES.orderedQueueUrl]: memoryQueue(MEMORY_NAMES.orderedDeadLettersUrl),
    [MEMORY_NAMES.deadLettersUrl]: DEAD_LETTERS,
    [MEMORY_NAMES.orderedDeadLettersUrl]: DEAD_LETTERS,
  },
  buckets: [MEMORY_NAMES.bodiesBucket],
} satisfies Pick<MemoryAwsOptions, 'tables' | 'queues' | 'buckets'>
