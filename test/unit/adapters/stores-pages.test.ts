import { describe, expect, it } from 'vitest'
import { listingPosition } from '../../../functions/contract/tables.ts'
import { type Fingerprint, type Millis, millis, seconds } from '../../../functions/domain/brands.ts'
import { sha256 } from '../../../functions/domain/identity.ts'
import type { KeptDelivery } from '../../../functions/domain/kept-delivery.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import type { Audit } from '../../../functions/domain/replay.ts'
import { anyFence, anyFingerprint, claimedRecord, NOON } from '../../support/events.ts'
import { watchedAws } from '../../support/watched-aws.ts'

type At = ReturnType<typeof watchedAws>

const DAY = 86_400_000
const MIDNIGHT = Date.UTC(2026, 10, 15)
const FROM = millis(NOON - 30 * DAY)

const claimed = async ({ stores }: At, at: number, fields: Partial<EventRecord> = {}): Promise<EventRecord> => {
  const record = claimedRecord(millis(at), fields)
  await stores.events.claim(record)
  return record
}

/** In the order in which they are to be listed. */
const idsOf = (records: readonly EventRecord[]): readonly string[] => records.map(({ fingerprint }) => fingerprint)

/** Of one shard of the listing. */
const inShard = (shard: string, number: number) => `${shard}${number.toString(16).padStart(63, '0')}` as Fingerprint

describe('the listing', () => {
  it('a page has as many events as were asked for, though they lie on two days', async () => {
    const at = watchedAws()
    const made: EventRecord[] = []
    for (const ago of [0, 1, DAY, DAY + 1, DAY + 2, DAY + 3, DAY + 4]) made.push(await claimed(at, NOON - ago))
    const page = await at.stores.events.list({ limit: 4, now: NOON, from: FROM })
    expect(idsOf(page.records)).toEqual(idsOf(made.slice(0, 4)))
    const rest = await at.stores.events.list({ limit: 9, now: NOON, from: FROM, after: page.next ?? '' })
    expect(idsOf(rest.records)).toEqual(idsOf(made.slice(4)))
    expect(rest.next).toBeNull()
  })

  it('events that were claimed earlier on the first day than asked for are left out', async () => {
    const at = watchedAws()
    const late = await claimed(at, NOON)
    const first = await claimed(at, NOON - 1_000)
    await claimed(at, NOON - 1_001)
    const { records } = await at.stores.events.list({ limit: 9, now: NOON, from: millis(NOON - 1_000) })
    expect(idsOf(records)).toEqual(idsOf([late, first]))
  })

  it('an event of the last millisecond of a day is listed from that instant on', async () => {
    const at = watchedAws()
    const last = await claimed(at, MIDNIGHT - 1)
    const { records } = await at.stores.events.list({ limit: 9, now: NOON, from: millis(MIDNIGHT - 1) })
    expect(idsOf(records)).toEqual(idsOf([last]))
  })

  it('a page is filled up with older events if some of the newest have expired', async () => {
    const at = watchedAws()
    const old = [await claimed(at, NOON - 2_000), await claimed(at, NOON - 3_000)]
    for (const ago of [0, 1_000]) await claimed(at, NOON - ago, { expiresAt: seconds(NOON / 1000) })
    const { records } = await at.stores.events.list({ limit: 2, now: NOON, from: FROM })
    expect(idsOf(records)).toEqual(idsOf(old))
  })

  it('an event that a host whose clock is ahead has claimed tomorrow is listed today', async () => {
    const at = watchedAws()
    const tomorrow = await claimed(at, MIDNIGHT + DAY + 60_000)
    const now = millis(MIDNIGHT + DAY - 300_000)
    expect(idsOf((await at.stores.events.list({ limit: 9, now, from: FROM })).records)).toEqual(idsOf([tomorrow]))
  })

  it('events of one day that all lie in one shard are all listed, newest first', async () => {
    const at = watchedAws()
    const made: EventRecord[] = []
    for (let number = 0; number < 40; number += 1)
      made.push(await claimed(at, NOON - number, { fingerprint: inShard('7', number) }))
    const { records } = await at.stores.events.list({ limit: 100, now: NOON, from: FROM })
    expect(idsOf(records)).toEqual(idsOf(made))
  })

  it('a page that lies on one day asks for the days of no other', async () => {
    const at = watchedAws()
    await claimed(at, NOON)
    at.asked.length = 0
    await at.stores.events.list({ limit: 9, now: NOON, from: millis(MIDNIGHT) })
    expect(at.counted('getItem')).toBe(0)
  })

  it('a page after a position begins on the day of that position', async () => {
    const at = watchedAws()
    await claimed(at, NOON)
    const old = await claimed(at, NOON - 5 * DAY)
    at.asked.length = 0
    const after = listingPosition(NOON - 5 * DAY + 1, 'f')
    const page = await at.stores.events.list({ limit: 1, now: NOON, from: FROM, after })
    expect(idsOf(page.records)).toEqual(idsOf([old]))
    const days = at.asked.map(
      ({ input }) => JSON.stringify(input.ExpressionAttributeValues ?? '').match(/2026-\d\d-\d\d#/)?.[0],
    )
    expect(new Set(days.filter(day => day !== undefined))).toEqual(new Set(['2026-11-10#']))
  })
})

describe('recovery', () => {
  it('a scan that has seen all of a day says that it has reached its end', async () => {
    const at = watchedAws()
    const record = await claimed(at, NOON)
    const until = millis(NOON + 60_000)
    const { records, reached } = await at.stores.recovery.scan(listingPosition(NOON - 1, ''), until, 10)
    expect(idsOf(records)).toEqual(idsOf([record]))
    expect(reached).toBe(listingPosition(until, ''))
  })

  it('a scan asks each shard for no more than its limit, and reads what it found at half the price', async () => {
    const at = watchedAws()
    for (let number = 0; number < 5; number += 1)
      await claimed(at, NOON + number, { fingerprint: inShard('7', number) })
    at.asked.length = 0
    const { records, reached } = await at.stores.recovery.scan(listingPosition(NOON - 1, ''), millis(NOON + 60_000), 2)
    expect(idsOf(records)).toEqual([inShard('7', 0), inShard('7', 1)])
    expect(reached).toBe(listingPosition(NOON + 1, inShard('7', 1)))
    expect(new Set(at.asked.filter(({ call }) => call === 'query').map(({ input }) => input.Limit))).toEqual(
      new Set([2]),
    )
    const reads = at.asked.filter(({ call }) => call === 'batchGetItem').map(({ input }) => input.ConsistentRead)
    expect(reads).toEqual([false])
  })
})

describe('the log of what operators did', () => {
  const noted = async ({ stores }: At, at: number): Promise<Audit> => {
    const audit: Audit = {
      ...{ fingerprint: anyFingerprint(), generation: 1, act: 'replay' as const, was: null, actor: 'ada', reason: 'r' },
      ...{ at: millis(at), job: null, fence: anyFence(), before: null },
    }
    await stores.replays.note(audit, millis(at))
    return audit
  }

  it('the log has no more acts than were asked for, though they lie on two days', async () => {
    const at = watchedAws()
    const acts: Audit[] = []
    for (const ago of [0, 1_000, DAY, DAY + 1_000]) acts.push(await noted(at, NOON - ago))
    expect(await at.stores.replays.recent(FROM, NOON, 3)).toEqual(acts.slice(0, 3))
  })

  it('the log of a night has the acts of the evening before, and none from before that', async () => {
    const at = watchedAws()
    const night = await noted(at, MIDNIGHT + 3_600_000)
    const evening = await noted(at, MIDNIGHT - 4 * 3_600_000)
    await noted(at, MIDNIGHT - 7 * 3_600_000)
    const from = millis(MIDNIGHT - 6 * 3_600_000)
    expect(await at.stores.replays.recent(from, millis(MIDNIGHT + 6 * 3_600_000), 9)).toEqual([night, evening])
  })

  it('an act that the index still names though it is gone is left out', async () => {
    const at = watchedAws()
    const first = await noted(at, NOON)
    const gone = await noted(at, NOON - 1_000)
    const { replays } = at.storesWith({
      batchGetItem: real => async get => {
        const { items, unprocessed } = await real(get)
        return { items: items.filter(({ of }) => of !== gone.fingerprint), unprocessed }
      },
    })
    expect(await replays.recent(FROM, NOON, 9)).toEqual([first])
  })
})

/** As if a page of the table held one item. */
const onePerPage = {
  query:
    (real: At['aws']['dynamo']['query']): At['aws']['dynamo']['query'] =>
    query =>
      real({ ...query, Limit: 1 }),
}

describe('what lies on several pages', () => {
  const delivery = (at: Millis): KeptDelivery => ({
    ...{ source: 'stripe', key: `${new Date(at).toISOString()}#r`, at, method: 'POST', url: 'https://a.example' },
    ...{ headers: {}, body: Uint8Array.of(1), correlationId: 'r', status: 401, outcome: 'rejected' as const },
    ...{ reason: null, id: null, eventId: null, attempt: null, expiresAt: seconds(NOON / 1000 + 60) },
  })

  it('kept deliveries on several pages are all found, newest first, and each once', async () => {
    const at = watchedAws()
    for (const ago of [0, 1, 2]) await at.stores.deliveries.keep('capture', delivery(millis(NOON - ago)))
    const { deliveries } = at.storesWith(onePerPage)
    const seen: number[] = []
    for await (const each of deliveries.each('capture', 'stripe', FROM, NOON)) seen.push(NOON - each.at)
    expect(seen).toEqual([0, 1, 2])
    const listed = await deliveries.list('capture', 'stripe', FROM, NOON, 2)
    expect(listed.map(each => NOON - each.at)).toEqual([0, 1])
  })

  it('a list of kept deliveries asks for as many as it shows, and a walk over all of them for whole pages', async () => {
    const at = watchedAws()
    for (const ago of [0, 1, 2]) await at.stores.deliveries.keep('capture', delivery(millis(NOON - ago)))
    at.asked.length = 0
    await at.stores.deliveries.list('capture', 'stripe', FROM, NOON, 2)
    for await (const _ of at.stores.deliveries.each('capture', 'stripe', FROM, NOON)) {
      // Only what is asked matters.
    }
    expect(at.asked.map(({ input }) => input.Limit)).toEqual([2, undefined])
    for (const { input } of at.asked) expect(input).not.toHaveProperty('ExclusiveStartKey')
  })

  it('every body of an event is erased, though they lie on several pages', async () => {
    const at = watchedAws()
    const fingerprint = anyFingerprint()
    const expiresAt = seconds(NOON / 1000 + 86_400)
    const kept = [1, 2, 3].map(value => Uint8Array.of(value))
    for (const bytes of kept) {
      const body = { fingerprint, sha256: sha256(bytes), bytes, eventId: 'e', headers: {}, ordering: null }
      await at.stores.bodies.keep(body, NOON, expiresAt)
    }
    expect(await at.storesWith(onePerPage).erasures.forgetBodies({ fingerprint, expiresAt })).toBe(3)
    for (const bytes of kept)
      expect(await at.stores.bodies.fetch(fingerprint, sha256(bytes), 'dynamodb', NOON)).toBeUndefined()
  })

  it('only audits that say how an event ended are changed when that is erased', async () => {
    const at = watchedAws()
    const audit = (before: Audit['before']): Audit => ({
      ...{ fingerprint: anyFingerprint(), generation: 1, act: 'replay', was: 'failed', actor: 'ada', reason: 'r' },
      ...{ at: NOON, job: null, fence: anyFence(), before },
    })
    const said = audit({ claimedAt: NOON, updatedAt: NOON, says: 'ada@example.com is unknown' })
    const silent = audit({ claimedAt: NOON, updatedAt: NOON, says: null })
    const none = audit(null)
    for (const each of [said, silent, none]) await at.stores.replays.note(each, NOON)
    at.asked.length = 0
    await at.stores.erasures.forgetSaid([none, silent, said])
    expect(at.counted('updateItem')).toBe(1)
    const [left] = await at.stores.replays.audits(said.fingerprint, [1])
    expect(left).toEqual({ ...said, before: { claimedAt: NOON, updatedAt: NOON, says: null } })
  })
})

describe('reads that decide something', () => {
  it('everything that a decision rests on is read strongly consistent', async () => {
    const at = watchedAws()
    const { stores } = at
    const { fingerprint } = await claimed(at, NOON)
    await stores.replays.note(
      {
        ...{ fingerprint, generation: 1, act: 'replay', was: null, actor: 'ada', reason: 'r' },
        ...{ at: NOON, job: null, fence: anyFence(), before: null },
      },
      NOON,
    )
    at.asked.length = 0
    await stores.events.read(fingerprint, NOON)
    await stores.events.list({ limit: 1, now: NOON, from: millis(MIDNIGHT) })
    await stores.recovery.cursor('late')
    await stores.recovery.queues()
    await stores.jobs.read('j')
    await stores.pauses.read('worker')
    await stores.reconciler.last('stripe')
    await stores.deliveries.fetch('capture', 'stripe', 'k', NOON)
    await stores.bodies.fetch(fingerprint, sha256(Uint8Array.of(1)), 'dynamodb', NOON)
    await stores.replays.audits(fingerprint, [1])
    await stores.replays.recent(FROM, NOON, 9)
    const reads = at.asked.filter(({ call }) => call === 'getItem' || call === 'batchGetItem')
    expect(reads).toHaveLength(11)
    for (const { input } of reads) expect(input).toMatchObject({ ConsistentRead: true })
  })

  it('who meets a key of somebody else, or a refused commit, looks strongly consistent', async () => {
    const at = watchedAws()
    const refused = () => async () => ({ kind: 'condition-failed', item: undefined }) as const
    const { answers, events } = at.storesWith({ putItem: refused })
    const claim = {
      ...{ fingerprint: anyFingerprint(), payload: sha256(Uint8Array.of(1)), fence: anyFence(), now: NOON },
      ...{ leaseUntil: millis(NOON + 1_000), expiresAt: seconds(NOON / 1000 + 60) },
    }
    await answers.claim(claim)
    expect(await events.claim(claimedRecord())).toEqual({ kind: 'contended' })
    const reasons = [{ code: 'ConditionalCheckFailed', item: undefined }]
    const cancelled = () => async () => ({ kind: 'cancelled', reasons, error: new Error('no') }) as const
    await at.storesWith({ transactWriteItems: cancelled }).work.commit(claimedRecord(), [], anyFence(), NOON)
    const reads = at.asked.filter(({ call }) => call === 'getItem').map(({ input }) => input.ConsistentRead)
    expect(reads).toEqual([true, true, true])
  })
})

describe('the newest version of a key', () => {
  const mark = (fields = {}) => ({
    ...{ key: 'invoice-1', version: 5, by: 'evt_1', expiresAt: seconds(NOON / 1000 + 600) },
    ...fields,
  })

  it('a version that lives as long as the one before it is one write', async () => {
    const at = watchedAws()
    await at.stores.work.advance(mark(), NOON)
    at.asked.length = 0
    expect(await at.stores.work.advance(mark({ version: 6, by: 'evt_2' }), NOON)).toEqual({ kind: 'newest' })
    expect(await at.stores.work.advance(mark({ version: 4, by: 'evt_3' }), NOON)).toEqual({ kind: 'stale' })
    expect(at.counted('updateItem')).toBe(0)
  })

  it('a write of a handler that was refused changes no version of ours, whatever it is called', async () => {
    const at = watchedAws()
    const record = claimedRecord(NOON, { status: 'working' })
    await at.stores.work.take(record, NOON)
    const reasons = [
      { code: 'ConditionalCheckFailed', item: undefined },
      { code: 'None', item: undefined },
    ]
    const cancelled = () => async () => ({ kind: 'cancelled', reasons, error: new Error('no') }) as const
    const { work } = at.storesWith({ transactWriteItems: cancelled })
    const expiresAt = seconds(NOON / 1000 + 9_000)
    for (const write of [
      { Put: { TableName: 'effects', Item: { fingerprint: 'newest#invoice-1', expiresAt } } },
      { Put: { TableName: at.names.eventsTable, Item: { fingerprint: 'mine#invoice-1', expiresAt } } },
      { Delete: { TableName: 'effects', Key: { key: 'a' } } },
    ]) {
      at.asked.length = 0
      const answer = await work.commit(record, [write], anyFence(), NOON)
      expect(answer).toEqual({ kind: 'refused', index: 0, code: 'ConditionalCheckFailed' })
      expect(at.counted('updateItem')).toBe(0)
    }
  })
})
