import { createHash } from 'node:crypto'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import { type MemoryDynamo, memoryDynamo } from './dynamo.ts'
import type { QueueShape } from './message-store.ts'
import { type MemoryObjects, memoryObjects } from './objects.ts'
import { type MemoryQueues, memoryQueues } from './queue.ts'
import { type MemorySecrets, memorySecrets } from './secrets.ts'
import { promised, type Stateful, together } from './synchronous.ts'
import type { TableShape } from './table.ts'
import { type Wait, waitingReceive } from './waiting-receive.ts'

export interface MemoryAwsOptions {
  readonly tables?: Readonly<Record<string, TableShape>>
  /** By URL; one that ends with `.fifo` is a FIFO queue. */
  readonly queues?: Readonly<Record<string, QueueShape>>
  readonly buckets?: readonly string[]
  /** The text of each; `undefined` for one that was created and never written. */
  readonly secrets?: Readonly<Record<string, string | undefined>>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds until a write that is made now shows in an index. @default 0: at once */
  readonly indexLag?: () => number
  /** Milliseconds from an item's expiry to its deletion. @default Infinity: expired items stay */
  readonly ttlLag?: () => number
  /** How many keys of a batch are answered; the others come back unprocessed. @default all */
  readonly batchServes?: (keys: number) => number
  /** Called after each change of an item. What it is given is what is stored, so it may not be changed. */
  readonly onWrite?: (table: string, before: Item | undefined, after: Item | undefined) => void
  /** @default counted */
  readonly newId?: (kind: 'message' | 'sequence' | 'version') => string
  /** How a receiver of an empty queue waits. @default it does not wait */
  readonly wait?: Wait
}

export interface MemoryAws extends Omit<Stateful, 'stateText'> {
  /** The wire: every call of it changes the state at once, and answers with a promise. */
  readonly aws: AwsCalls
  /** The same calls, with their answers at once. */
  readonly dynamo: MemoryDynamo['calls']
  readonly queue: MemoryQueues['calls']
  readonly objects: MemoryObjects['calls']
  readonly secrets: MemorySecrets['calls']
  /** Every item of a table. */
  items(table: string): readonly Item[]
  /** Every message of a queue, visible or not. */
  readonly messages: MemoryQueues['messages']
  /** The same for the same state, however it came about. Two states that differ only in the ids to come have one. */
  stateKey(): string
}

/** DynamoDB, SQS, S3 and Secrets Manager in this process, as far as we call them. */
export const memoryAws = (options: MemoryAwsOptions): MemoryAws => {
  const ids = countedIds()
  const world = {
    now: options.now,
    indexLag: options.indexLag ?? (() => 0),
    ttlLag: options.ttlLag ?? (() => Number.POSITIVE_INFINITY),
    batchServes: options.batchServes ?? (keys => keys),
    newId: options.newId ?? ids.next,
    ...(options.onWrite && { onWrite: options.onWrite }),
  }
  const dynamo = memoryDynamo(options.tables ?? {}, world)
  const queues = memoryQueues(options.queues ?? {}, world)
  const objects = memoryObjects(options.buckets ?? [])
  const secrets = memorySecrets(options.secrets ?? {}, world)
  const { snapshot, restore, stateText } = together({ dynamo, queues, objects, secrets, ids })
  return {
    aws: {
      dynamo: promised(dynamo.calls),
      queue: {
        ...promised<Omit<AwsCalls['queue'], 'receiveMessages'>>(queues.calls),
        receiveMessages: waitingReceive(queues.calls, options.now, options.wait),
      },
      objects: promised(objects.calls),
      secrets: promised(secrets.calls),
      prime: async () => {},
    },
    dynamo: dynamo.calls,
    queue: queues.calls,
    objects: objects.calls,
    secrets: secrets.calls,
    items: table => [...dynamo.table(table).items()].map(([, item]) => item),
    messages: queues.messages,
    snapshot,
    restore,
    stateKey: () => createHash('sha256').update(stateText()).digest('base64'),
  }
}

const countedIds = (): Stateful & { next(kind: string): string } => {
  let count = 0
  return {
    next: kind => (kind === 'sequence' ? String(++count).padStart(20, '0') : `${kind}-${++count}`),
    snapshot: () => count,
    restore: snapshot => {
      count = snapshot as number
    },
    stateText: () => '',
  }
}
