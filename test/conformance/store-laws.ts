import { randomUUID } from 'node:crypto'
import { describe } from 'vitest'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import { allStores } from '../support/stores.ts'
import { answerStoreLaw } from './answer-store.ts'
import { erasureStoreLaw } from './erasure-store.ts'
import { eventStoreLaw, listingLaw } from './event-store.ts'
import { pauseStoreLaw } from './pause-store.ts'
import { reconcilerStoreLaw } from './reconciler-store.ts'
import { recoveryStoreLaw } from './recovery-store.ts'
import { replayStoreLaw } from './replay-store.ts'
import { workStoreLaw } from './work-store.ts'

export const EFFECTS_TABLE = { partitionKey: { name: 'key', type: 'S' }, timeToLive: 'expiresAt' } as const

/** Two new tables on some engine, and a way to it. */
type Open = () => Promise<{ readonly aws: AwsCalls; readonly eventsTable: string; readonly effectsTable: string }>

/** As ten minutes later. */
const forgettingTokens = (aws: AwsCalls): AwsCalls => {
  const transactWriteItems: AwsCalls['dynamo']['transactWriteItems'] = transaction =>
    aws.dynamo.transactWriteItems({ ...transaction, ClientRequestToken: randomUUID() })
  return { ...aws, dynamo: { ...aws.dynamo, transactWriteItems } }
}

export const storeLaws = (open: Open): void => {
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
