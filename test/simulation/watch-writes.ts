import { fromItem } from '../../functions/adapters/event-items.ts'
import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { HOOKLATCH_RESOURCES, MEMORY_NAMES } from '../../lib/memory-aws/hooklatch-resources.ts'
import type { memoryDestinations } from '../support/memory-destinations.ts'

type Destinations = ReturnType<typeof memoryDestinations>['queues']

/** The user's own table, in which their handler's commits leave their effects. */
export const EFFECTS = 'effects'

/** What the stack creates, and the user's table. A thousand receives take days: some schedules have dead letters earlier. */
export const resourcesWith = (maxReceiveCount: number, destinations: Destinations = {}) => {
  const { queueUrl, deadLettersUrl, orderedQueueUrl, orderedDeadLettersUrl } = MEMORY_NAMES
  const { queues, tables, buckets } = HOOKLATCH_RESOURCES
  return {
    buckets,
    queues: {
      ...queues,
      [queueUrl]: { ...queues[queueUrl], deadLetters: { url: deadLettersUrl, maxReceiveCount } },
      [orderedQueueUrl]: { ...queues[orderedQueueUrl], deadLetters: { url: orderedDeadLettersUrl, maxReceiveCount } },
      ...Object.fromEntries(
        Object.entries(destinations).map(([url, queue]) => [
          url,
          'deadLetters' in queue ? { ...queue, deadLetters: { url: `${url}-dead-letters`, maxReceiveCount } } : queue,
        ]),
      ),
    },
    tables: { ...tables, [EFFECTS]: { partitionKey: { name: 'key', type: 'S' } } },
  } as const
}

export const RESOURCES = resourcesWith(5)

export const NAMES = {
  ...MEMORY_NAMES,
  signingSecrets: 'hooklatch-signing-secrets',
  fingerprintKey: 'hooklatch-fingerprint-key',
} as const

export interface Watcher {
  wrote(before: EventRecord | undefined, after: EventRecord): void
  /** TTL has taken it away. */
  gone?(before: EventRecord): void
  /** An effect was committed, of this event and generation. */
  committed(key: string): void
}

/** Tells every write to a record, and every effect of a handler's commit, as the table took it. */
export const watchWrites =
  ({ wrote, gone, committed }: Watcher) =>
  (table: string, before: Item | undefined, after: Item | undefined): void => {
    if (!after) {
      if (before && table === NAMES.eventsTable && isRecord(before)) gone?.(recordOf(before))
      return
    }
    if (table === EFFECTS) committed(`${after.of}/${after.generation}`)
    if (table === NAMES.eventsTable && isRecord(after)) wrote(before && recordOf(before), recordOf(after))
  }

/** Guards, audits, jobs and cursors stand in the same table. Half of a record is one, too. */
export const isRecord = (item: Item): boolean =>
  (item.bodySha256 ?? item.leaseUntil) !== undefined && !String(item.fingerprint).includes(':')

/** Stored items never change, so each is read once. */
const read = new WeakMap<Item, EventRecord>()

export const recordOf = (item: Item): EventRecord => {
  const known = read.get(item)
  if (known) return known
  const record = fromItem(item)
  read.set(item, record)
  return record
}
