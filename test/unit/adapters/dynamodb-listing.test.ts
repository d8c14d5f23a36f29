import { describe, expect, it } from 'vitest'
import { eventReads } from '../../../functions/adapters/dynamodb-listing.ts'
import { dynamodbRecovery } from '../../../functions/adapters/dynamodb-recovery.ts'
import { toItem } from '../../../functions/adapters/event-items.ts'
import { listingPosition } from '../../../functions/contract/tables.ts'
import { type Fingerprint, millis } from '../../../functions/domain/brands.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import { countedDynamo } from '../../support/counted-dynamo.ts'
import { claimedRecord, NOON } from '../../support/events.ts'
import { memoryRig, RIG_NAMES } from '../../support/memory-rig.ts'

const DAY = 86_400_000
const FROM = millis(NOON - 30 * DAY)

/** A table of its own, and what the listing asks of it. */
const counting = (records: readonly EventRecord[]) => {
  const { engine } = memoryRig()
  for (const record of records) engine.dynamo.putItem({ TableName: RIG_NAMES.eventsTable, Item: toItem(record) })
  const { dynamo, asked } = countedDynamo(engine.aws.dynamo)
  const { list } = eventReads({ dynamo }, RIG_NAMES)
  return { list, asked, recovery: dynamodbRecovery({ dynamo: engine.aws.dynamo }, RIG_NAMES) }
}

/** Spread over the shards as fingerprints are: by a seed that stays the same. */
const spread = (count: number, at: (index: number) => number): readonly EventRecord[] => {
  let state = 7
  return Array.from({ length: count }, (_, index) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const fingerprint = `${(state >>> 8).toString(16).padStart(6, '0')}${index.toString(16).padStart(58, '0')}`
    return claimedRecord(millis(at(index)), { fingerprint: fingerprint as Fingerprint })
  })
}

const ids = (records: readonly EventRecord[]): readonly string[] => records.map(({ fingerprint }) => fingerprint)

describe('a page of the listing', () => {
  it('a page of 50 asks each shard for its share, not for a whole page', async () => {
    const records = spread(2_000, index => NOON - index * 1_000)
    const { list, asked } = counting(records)
    const page = await list({ limit: 50, now: NOON, from: FROM })
    expect(ids(page.records)).toEqual(ids(records.slice(0, 50)))
    // Half a read unit for a query, and one for each record, which is read consistently.
    expect(asked).toEqual({ calls: 17, queries: 16, entries: 16 * 9, readUnits: 8 + 50 })
  })

  it('a page in the middle costs as much as the first one', async () => {
    const records = spread(2_000, index => NOON - index * 1_000)
    const { list, asked } = counting(records)
    const last = records[999] as EventRecord
    const after = listingPosition(last.claimedAt, last.fingerprint)
    const page = await list({ limit: 50, now: NOON, from: FROM, after })
    expect(ids(page.records)).toEqual(ids(records.slice(1_000, 1_050)))
    expect(asked).toMatchObject({ calls: 17, queries: 16 })
  })

  it('a shard that holds more of a page than its share is asked again, alone', async () => {
    const inOneShard = Array.from({ length: 40 }, (_, index) =>
      claimedRecord(millis(NOON - index), { fingerprint: `a${String(index).padStart(63, '0')}` as Fingerprint }),
    )
    const { list, asked } = counting([...inOneShard, ...spread(200, index => NOON - 1_000 - index)])
    const page = await list({ limit: 40, now: NOON, from: FROM })
    expect(ids(page.records)).toEqual(ids(inOneShard))
    // Its share of 40 is 8: five pages of it, and one of every other shard.
    expect(asked.queries).toBe(16 + 4)
  })

  it('every page size shows every event once, in order, over days and shards', async () => {
    const records = spread(300, index => NOON - Math.floor(index / 3) * 7_200_000)
    for (const limit of [1, 7, 50, 299, 300]) {
      const { list } = counting(records)
      const seen: EventRecord[] = []
      let after: string | undefined
      do {
        const page = await list({ limit, now: NOON, from: millis(NOON - 60 * DAY), ...(after && { after }) })
        seen.push(...page.records)
        after = page.next ?? undefined
      } while (after !== undefined)
      expect(new Set(ids(seen)).size).toBe(300)
      expect(seen).toHaveLength(300)
      expect(seen.map(({ claimedAt }) => claimedAt)).toEqual(records.map(({ claimedAt }) => claimedAt))
    }
  })
})

describe('days without events', () => {
  /** Two of today and three of a day long ago. */
  const events = spread(5, index => (index < 2 ? NOON : NOON - 25 * DAY) - index)

  it('days on which recovery met no event are not asked for', async () => {
    const { list, asked, recovery } = counting(events)
    const day = new Date(NOON - 25 * DAY).toISOString().slice(0, 10)
    await recovery.moveCursor('late', listingPosition(NOON, ''), { since: '2026-01-01', days: [day] })
    const page = await list({ limit: 50, now: NOON, from: FROM })
    expect(page.records).toHaveLength(5)
    expect(page.next).toBeNull()
    // Today, the day with events, and nothing between them or before.
    expect(asked).toMatchObject({ queries: 2 * 16, calls: 2 * 16 + 3 })
  })

  it('days that recovery has not walked are asked for one by one', async () => {
    const { list, asked, recovery } = counting(events)
    const since = new Date(NOON - 10 * DAY).toISOString().slice(0, 10)
    await recovery.moveCursor('late', listingPosition(NOON - 3 * DAY, ''), { since, days: [] })
    const page = await list({ limit: 50, now: NOON, from: FROM })
    expect(page.records).toHaveLength(5)
    // Today and three days that it has not come to, then twenty before its first, the last of them that of `from`.
    expect(asked.queries).toBe((4 + 20) * 16)
  })

  it('a table that no recovery has walked is asked day by day', async () => {
    const { list, asked } = counting(events)
    expect((await list({ limit: 50, now: NOON, from: FROM })).records).toHaveLength(5)
    expect(asked.queries).toBe(31 * 16)
  })
})
