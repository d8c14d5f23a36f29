import { describe, expect, it } from 'vitest'
import { listingPosition } from '../../functions/contract/tables.ts'
import { millis } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { RecoveryStore } from '../../functions/domain/recovery.ts'
import { anyFingerprint, claimedRecord, NOON } from '../support/events.ts'
import type { EventStore } from '../support/stores.ts'

const DAY = 86_400_000

export interface OpenRecovery {
  readonly events: EventStore
  readonly recovery: RecoveryStore
}

/** The law of the recovery store. */
export const recoveryStoreLaw = (open: () => Promise<OpenRecovery>): void => {
  const walk = async ({ recovery }: OpenRecovery, from: number, until: number, limit: number): Promise<string[]> => {
    const seen: string[] = []
    let after = listingPosition(from, '')
    while (Date.parse(after.slice(0, 24)) < until) {
      const { records, reached } = await recovery.scan(after, millis(until), limit)
      expect(reached > after).toBe(true)
      seen.push(...records.map(record => record.fingerprint))
      after = reached
    }
    return seen
  }

  describe('the walk', () => {
    it('the walk of recovery meets every event claimed in its stretch once, whatever the page size, over midnights and equal instants', async () => {
      const at = await open()
      const inside = [
        ...Array.from({ length: 40 }, () => claimedRecord(NOON)),
        ...Array.from({ length: 40 }, (_, index) => claimedRecord(millis(NOON - DAY + index * 1_000))),
        ...Array.from({ length: 10 }, (_, index) => claimedRecord(millis(NOON - 3 * DAY + index))),
      ]
      const outside = [claimedRecord(millis(NOON - 3 * DAY - 1)), claimedRecord(millis(NOON + 2))]
      for (const record of [...inside, ...outside]) await at.events.claim({ ...record, guard: anyFingerprint() })
      for (const limit of [1, 3, 1_000]) {
        const seen = await walk(at, NOON - 3 * DAY, NOON + 1, limit)
        expect(seen).toHaveLength(inside.length)
        expect(new Set(seen)).toEqual(new Set(inside.map(record => record.fingerprint)))
      }
    })

    it('the walk of recovery meets an event again at the time of its takeover', async () => {
      const at = await open()
      const record = claimedRecord(millis(NOON - 60_000), { leaseUntil: millis(NOON - 45_000) })
      await at.events.claim(record)
      const fence = claimedRecord().fence
      await at.events.takeOver(record, { fence, now: NOON, leaseUntil: millis(NOON + 15_000) })
      expect(await walk(at, NOON - 60_000, NOON - 1, 10)).toEqual([])
      expect(await walk(at, NOON - 1, NOON + 1, 10)).toEqual([record.fingerprint])
    })
  })

  describe('an event that is parked', () => {
    it('is met again later, with the reason, and anybody may take over at once', async () => {
      const at = await open()
      const record = claimedRecord(millis(NOON - 60_000), { leaseUntil: millis(NOON - 45_000) })
      await at.events.claim(record)
      const by = { fence: claimedRecord().fence, now: NOON, leaseUntil: NOON }
      expect(await at.recovery.park(record, by, 'Unreadable: no')).toEqual({ kind: 'moved' })
      expect(await at.recovery.park(record, by, 'Unreadable: no')).toEqual({ kind: 'moved' })
      expect(await walk(at, NOON - 60_000, NOON - 1, 10)).toEqual([])
      expect(await walk(at, NOON - 1, NOON + 1, 10)).toEqual([record.fingerprint])
      const parked = await at.events.read(record.fingerprint, NOON)
      const { fence } = by
      expect(parked).toEqual({
        ...record,
        fence,
        leaseUntil: NOON,
        claimedAt: NOON,
        updatedAt: NOON,
        lastError: 'Unreadable: no',
      })
      const next = { fence: claimedRecord().fence, now: NOON, leaseUntil: millis(NOON + 15_000) }
      expect(await at.events.takeOver(parked ?? record, next)).toMatchObject({ kind: 'owned' })
    })

    it('is none that has a live lease, that another has taken over, or that is on the queue', async () => {
      const at = await open()
      const refused = async (fields: Partial<EventRecord>, seen: Partial<EventRecord> = {}) => {
        const record = claimedRecord(millis(NOON - 60_000), { leaseUntil: millis(NOON - 45_000), ...fields })
        await at.events.claim(record)
        const by = { fence: claimedRecord().fence, now: NOON, leaseUntil: NOON }
        expect(await at.recovery.park({ ...record, ...seen }, by, 'x')).toEqual({ kind: 'superseded' })
        expect(await at.events.read(record.fingerprint, NOON)).toEqual(record)
      }
      await refused({ leaseUntil: millis(NOON + 1) })
      await refused({}, { fence: claimedRecord().fence })
      await refused({ status: 'queued' })
    })
  })

  describe('the queues of destinations', () => {
    it('what recovery noted of queues last counts, and is not listed as an event', async () => {
      const { recovery, events } = await open()
      expect(await recovery.queues()).toEqual({})
      const later = { crm: { url: 'https://sqs/crm', removedAt: NOON } }
      await recovery.noteQueues({ crm: { url: 'https://sqs/crm' } }, NOON)
      await recovery.noteQueues(later, millis(NOON + 1))
      expect(await recovery.queues()).toEqual(later)
      await recovery.noteQueues({}, NOON).catch(() => {})
      expect(await recovery.queues()).toEqual(later)
      expect((await events.list({ limit: 10, now: NOON, from: millis(NOON - DAY) })).records).toEqual([])
    })
  })

  describe('a cursor', () => {
    it('a cursor of recovery is unknown at first, and then only moves forward', async () => {
      const { recovery } = await open()
      expect(await recovery.cursor('abandoned')).toBeUndefined()
      await recovery.moveCursor('abandoned', listingPosition(NOON, ''))
      await recovery.moveCursor('abandoned', listingPosition(NOON - 1, ''))
      expect(await recovery.cursor('abandoned')).toEqual({ position: listingPosition(NOON, '') })
      expect(await recovery.cursor('late')).toBeUndefined()
    })

    it('a cursor of recovery is not listed as an event', async () => {
      const { recovery, events } = await open()
      await recovery.moveCursor('lost', listingPosition(NOON, ''))
      expect((await events.list({ limit: 10, now: NOON, from: millis(NOON - DAY) })).records).toEqual([])
    })
  })
}
