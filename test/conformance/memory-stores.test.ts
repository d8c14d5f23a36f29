import { describe, expect, it } from 'vitest'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import { EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { millis, toSeconds } from '../../functions/domain/brands.ts'
import { HOOKLATCH_RESOURCES, MEMORY_NAMES } from '../../lib/memory-aws/hooklatch-resources.ts'
import { memoryAws } from '../../lib/memory-aws/memory-aws.ts'
import { anyFence, anyFingerprint, claimedRecord, NOON } from '../support/events.ts'
import { allStores } from '../support/stores.ts'
import { bodyStoreLaw } from './body-store.ts'
import { bodyErasureLaw } from './erasure-store.ts'
import { keptDeliveriesLaw } from './kept-deliveries.ts'
import { EFFECTS_TABLE, storeLaws } from './store-laws.ts'

describe('the stores on the memory AWS in process', () =>
  storeLaws(async () => {
    const { partitionKey, timeToLive, listingIndex } = EVENTS_TABLE
    const tables = { events: { partitionKey, timeToLive, indexes: [listingIndex] }, effects: EFFECTS_TABLE }
    const { aws } = memoryAws({ tables, now: () => NOON })
    return { aws, eventsTable: 'events', effectsTable: 'effects' }
  }))

describe('on the memory AWS', () => {
  const memory = () => memoryAws({ ...HOOKLATCH_RESOURCES, now: () => NOON }).aws
  describe('the bodies', () => bodyStoreLaw(async () => allStores(memory(), MEMORY_NAMES).bodies))
  describe('erased bodies', () => bodyErasureLaw(async () => allStores(memory(), MEMORY_NAMES)))
  describe('the kept deliveries', () => keptDeliveriesLaw(async () => allStores(memory(), MEMORY_NAMES).deliveries))
})

describe('the guard of an event that is gone', () => {
  it('is not inherited by another if its event comes again after it was looked for', async () => {
    const { aws } = memoryAws({ ...HOOKLATCH_RESOURCES, now: () => NOON })
    const later = millis(NOON + 60_000)
    const guard = anyFingerprint()
    const { expiresAt } = claimedRecord(later)
    const gone = claimedRecord(NOON, { guard, expiresAt: toSeconds(later) })
    const { events } = allStores(aws, MEMORY_NAMES)
    await events.claim(gone)
    // A reopening that comes too late extends the guard, and not its record.
    const by = { fence: anyFence(), now: NOON, leaseUntil: later }
    await events.reopen({ ...gone, generation: 7 }, by, { ...gone, now: NOON, expiresAt })
    const again = {
      ...gone,
      fence: anyFence(),
      claimedAt: later,
      expiresAt: claimedRecord(millis(later + 9_000)).expiresAt,
    }
    const getItem: AwsCalls['dynamo']['getItem'] = async asked => {
      const found = await aws.dynamo.getItem(asked)
      if (asked.Key.fingerprint === gone.fingerprint) await events.claim(again)
      return found
    }
    const meanwhile = allStores({ ...aws, dynamo: { ...aws.dynamo, getItem } }, MEMORY_NAMES).events
    expect(await meanwhile.claim(claimedRecord(later, { guard }))).toEqual({ kind: 'lost', existing: again })
  })
})
