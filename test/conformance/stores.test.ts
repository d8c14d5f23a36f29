import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import { EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { type DynamoEngine, javaAvailable, startDynamo } from '../../lib/local/engines/start-engines.ts'
import { startMemoryDynamo } from '../../lib/local/engines/start-memory-dynamo.ts'
import { memoryAws } from '../../lib/memory-aws/memory-aws.ts'
import { CLIENTS, freshTable } from '../support/engines.ts'
import { NOON } from '../support/events.ts'
import { allStores } from '../support/stores.ts'
import { answerStoreLaw } from './answer-store.ts'
import { erasureStoreLaw } from './erasure-store.ts'
import { eventStoreLaw, listingLaw } from './event-store.ts'
import { pauseStoreLaw } from './pause-store.ts'
import { reconcilerStoreLaw } from './reconciler-store.ts'
import { recoveryStoreLaw } from './recovery-store.ts'
import { replayStoreLaw } from './replay-store.ts'
import { workStoreLaw } from './work-store.ts'

const EFFECTS_TABLE = { partitionKey: { name: 'key', type: 'S' }, timeToLive: 'expiresAt' } as const

/** Two new tables on some engine, and a way to it. */
type Open = () => Promise<{ readonly aws: AwsCalls; readonly eventsTable: string; readonly effectsTable: string }>

/** As ten minutes later. */
const forgettingTokens = (aws: AwsCalls): AwsCalls => {
  const transactWriteItems: AwsCalls['dynamo']['transactWriteItems'] = transaction =>
    aws.dynamo.transactWriteItems({ ...transaction, ClientRequestToken: randomUUID() })
  return { ...aws, dynamo: { ...aws.dynamo, transactWriteItems } }
}

const laws = (open: Open): void => {
  const stores = async () => {
    const { aws, eventsTable, effectsTable } = await open()
    const effect = (key: string) => aws.dynamo.getItem({ TableName: effectsTable, Key: { key } })
    const { work: forgetful } = allStores(forgettingTokens(aws), { eventsTable })
    return { ...allStores(aws, { eventsTable }), forgetful, effectsTable, effect }
  }
  const events = async () => (await stores()).events
  eventStoreLaw(events)
  listingLaw(events)
  workStoreLaw(stores)
  recoveryStoreLaw(stores)
  replayStoreLaw(stores)
  erasureStoreLaw(stores)
  describe('pauses', () => pauseStoreLaw(async () => (await stores()).pauses))
  describe('reconciler', () => reconcilerStoreLaw(async () => (await stores()).reconciler))
  describe('answers', () => answerStoreLaw(async () => (await stores()).answers))
}

describe('the stores on the memory AWS in process', () =>
  laws(async () => {
    const { partitionKey, timeToLive, listingIndex } = EVENTS_TABLE
    const tables = { events: { partitionKey, timeToLive, indexes: [listingIndex] }, effects: EFFECTS_TABLE }
    const { aws } = memoryAws({ tables, now: () => NOON })
    return { aws, eventsTable: 'events', effectsTable: 'effects' }
  }))

const java = await javaAvailable()

describe.each([
  ['dynoxide', true],
  ['dynamodb-local', java],
  ['memory', true],
] as const)('the stores on the engine %s', (kind, available) => {
  describe.skipIf(!available)(available ? 'by' : 'by (skipped: no Java 17 on this machine)', () => {
    let engine: DynamoEngine
    beforeAll(async () => {
      engine = await (kind === 'memory' ? startMemoryDynamo('local') : startDynamo(kind))
    })
    afterAll(() => engine.stop())

    describe.each(Object.entries(CLIENTS))('the %s client', (_name, callsOf) =>
      laws(async () => ({
        aws: callsOf({ dynamodb: engine.endpoint }),
        eventsTable: await freshTable(engine.endpoint, EVENTS_TABLE),
        effectsTable: await freshTable(engine.endpoint, EFFECTS_TABLE),
      })),
    )
  })
})
