import { setImmediate as turn } from 'node:timers/promises'
import { fromItem } from '../../functions/adapters/event-items.ts'
import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { secretsManagerSecrets } from '../../functions/adapters/secrets-manager-secrets.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import { randomFence } from '../../functions/adapters/system.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import type { QueueMessage } from '../../functions/adapters/wire/queue-calls.ts'
import { RECEIVE_LEASE_MS } from '../../functions/contract/limits.ts'
import { type Millis, millis } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Source } from '../../functions/domain/source.ts'
import type { Receiving, World } from '../../functions/domain/world.ts'
import { HOOKLATCH_RESOURCES, MEMORY_NAMES } from '../memory-aws/hooklatch-resources.ts'
import { type MemoryAws, memoryAws } from '../memory-aws/memory-aws.ts'
import type { TableShape } from '../memory-aws/table.ts'
import { exampleSecret } from '../sender/example-secret.ts'
import { type Crashes, crashes } from './crashes.ts'
import { type Outages, outages } from './outages.ts'

export const ENVIRONMENT = 'test'

const NAMES = { ...MEMORY_NAMES, signingSecrets: 'signing-secrets', fingerprintKey: 'fingerprint-key' } as const

const STORES = { ...EVERY_STORE, secrets: secretsManagerSecrets } as const

/** Where a test's receiver runs: AWS in memory, a clock, and what can go wrong. */
export interface Place {
  readonly world: Receiving & World
  readonly engine: MemoryAws
  readonly outages: Outages
  readonly crashes: Crashes
  /** The log lines of the functions. */
  readonly lines: string[]
  /** Every message that was put on a queue, in that order. */
  readonly sent: QueueMessage[]
  secretOf(source: string): string
  records(): readonly EventRecord[]
  setClock(now: Millis): void
}

export interface PlaceOptions {
  readonly sources: ReadonlyMap<string, Source>
  readonly tables: Readonly<Record<string, TableShape>>
  readonly start: Millis
}

export const openPlace = ({ sources, tables, start }: PlaceOptions): Place => {
  let time = start
  const now = () => time
  const secrets = secretsFor(sources)
  const engine = memoryAws({
    ...HOOKLATCH_RESOURCES,
    tables: { ...HOOKLATCH_RESOURCES.tables, ...tables },
    secrets: { [NAMES.signingSecrets]: JSON.stringify(secrets), [NAMES.fingerprintKey]: 'a-key-for-tests-alone' },
    now,
  })
  const sent: QueueMessage[] = []
  const away = outages()
  const stores = storesOver(away.over(recorded(engine.aws, sent)), NAMES, STORES, now)
  return {
    world: {
      ...stores,
      environment: ENVIRONMENT,
      sources,
      now,
      newFence: randomFence,
      // The clock is the test's: what waits for something else only lets that happen first.
      pause: async () => turn(),
      random: () => 0,
      leaseMillis: millis(RECEIVE_LEASE_MS),
    },
    engine,
    outages: away,
    crashes: crashes(),
    lines: [],
    sent,
    secretOf: source => secrets[source]?.[0] ?? '',
    records: () => engine.items(NAMES.eventsTable).filter(isRecord).map(fromItem),
    setClock: instant => {
      time = instant
    },
  }
}

/** Of the shape that each sender's secrets have; a key that a sender publishes is a local one. */
const secretsFor = (sources: ReadonlyMap<string, Source>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...sources.values()]
      .filter(({ scheme }) => scheme.kind !== 'none')
      .map(({ name, scheme }) => [name, [exampleSecret(scheme)]]),
  )

const recorded = (aws: AwsCalls, sent: QueueMessage[]): AwsCalls => ({
  ...aws,
  queue: {
    ...aws.queue,
    async sendMessage(message) {
      const answer = await aws.queue.sendMessage(message)
      if (answer.kind === 'sent') sent.push(message)
      return answer
    },
    async sendMessageBatch(QueueUrl, entries) {
      const answer = await aws.queue.sendMessageBatch(QueueUrl, entries)
      const failed = answer.kind === 'sent' ? answer.failed : undefined
      if (failed) sent.push(...entries.filter((_, at) => !failed.has(at)).map(entry => ({ ...entry, QueueUrl })))
      return answer
    },
  },
})

/** Guards, marks, cursors and audits lie in the same table. */
const isRecord = (item: Item): boolean => typeof item.eventId === 'string'
