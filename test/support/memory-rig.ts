import { randomUUID } from 'node:crypto'
import { dynamodbAnswers } from '../../functions/adapters/dynamodb-answers.ts'
import { fromItem, toItem } from '../../functions/adapters/event-items.ts'
import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { secretsManagerSecrets } from '../../functions/adapters/secrets-manager-secrets.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import type { Fingerprint } from '../../functions/domain/brands.ts'
import type { Clock } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { HOOKLATCH_RESOURCES, MEMORY_NAMES } from '../../lib/memory-aws/hooklatch-resources.ts'
import { memoryAws } from '../../lib/memory-aws/memory-aws.ts'
import { NOON } from './events.ts'
import { memoryDestinations } from './memory-destinations.ts'
import { RIG_KEY } from './sealed.ts'
import { setSecret } from './set-secret.ts'

export const RIG_NAMES = { ...MEMORY_NAMES, signingSecrets: 'signing-secrets', fingerprintKey: 'fingerprint-key' }

const STORES = { ...EVERY_STORE, secrets: secretsManagerSecrets, answers: dynamodbAnswers } as const

/** A table for the writes of handlers. */
export const EFFECTS = 'effects'

export interface MemoryRigOptions {
  readonly now?: Clock
  readonly secrets?: Readonly<Record<string, readonly string[]>>
  /** Names of those besides `worker`. */
  readonly destinations?: readonly string[]
}

/** Every store that ships, on an AWS in memory. */
export const memoryRig = ({ now = () => NOON, secrets = {}, destinations = [] }: MemoryRigOptions = {}) => {
  const { urls, queues } = memoryDestinations([...destinations, ...(destinations.length > 0 ? ['*'] : [])])
  const engine = memoryAws({
    ...HOOKLATCH_RESOURCES,
    tables: { ...HOOKLATCH_RESOURCES.tables, [EFFECTS]: { partitionKey: { name: 'key', type: 'S' } } },
    queues: { ...HOOKLATCH_RESOURCES.queues, ...queues },
    secrets: { [RIG_NAMES.signingSecrets]: JSON.stringify(secrets), [RIG_NAMES.fingerprintKey]: RIG_KEY.reveal() },
    now,
  })
  const sent: string[] = []
  const aws = { ...engine.aws, queue: recorded(engine.aws.queue, sent) }
  return {
    engine,
    aws,
    stores: storesOver(aws, { ...RIG_NAMES, destinations: urls }, STORES, now),
    /** How many messages are on the queue of a destination. */
    waitingAt: (destination: string): number => engine.messages(urls[destination] ?? RIG_NAMES.queueUrl).length,
    records: recordsIn(engine),
    /** The texts that were put on the queues, in that order. */
    sent,
    /** What handlers committed. */
    effects: (): readonly Item[] => engine.items(EFFECTS),
    /** As an operator in the console of Secrets Manager would. */
    setSecrets: (lists: Readonly<Record<string, readonly string[]>>): void =>
      setSecret(engine.secrets, RIG_NAMES.signingSecrets, JSON.stringify(lists)),
    secretLists: (): Record<string, string[]> =>
      JSON.parse(engine.secrets.getSecret(RIG_NAMES.signingSecrets)?.text ?? '{}'),
  }
}

export type MemoryRig = ReturnType<typeof memoryRig>

type Queue = ReturnType<typeof memoryAws>['aws']['queue']

const recorded = (queue: Queue, sent: string[]): Queue => ({
  ...queue,
  async sendMessage(message) {
    const answer = await queue.sendMessage(message)
    if (answer.kind === 'sent') sent.push(message.MessageBody)
    return answer
  },
  async sendMessageBatch(url, entries) {
    const answer = await queue.sendMessageBatch(url, entries)
    if (answer.kind === 'sent') {
      sent.push(...entries.filter((_, at) => !answer.failed.has(at)).map(entry => entry.MessageBody))
    }
    return answer
  },
})

const TABLE = MEMORY_NAMES.eventsTable

/** The records of the events table, to look at and to arrange. Guards, marks, cursors and audits are none. */
const recordsIn = ({ dynamo, items }: ReturnType<typeof memoryAws>) => ({
  get: (fingerprint: Fingerprint): EventRecord | undefined => {
    const item = dynamo.getItem({ TableName: TABLE, Key: { fingerprint } })
    return item && fromItem(item)
  },
  set: (record: EventRecord): void => void dynamo.putItem({ TableName: TABLE, Item: toItem(record) }),
  delete: (fingerprint: Fingerprint): void =>
    void dynamo.transactWriteItems({
      ClientRequestToken: randomUUID(),
      TransactItems: [{ Delete: { TableName: TABLE, Key: { fingerprint } } }],
    }),
  values: (): EventRecord[] => items(TABLE).filter(isRecord).map(fromItem),
  get size(): number {
    return items(TABLE).filter(isRecord).length
  },
})

const isRecord = (item: Item): boolean => typeof item.eventId === 'string'
