import { beforeAll, describe, expect, it } from 'vitest'
import { type Millis, millis, type Sha256, seconds, toSeconds } from '../../functions/domain/brands.ts'
import type { Listing, Settlement } from '../../functions/domain/ports.ts'
import type { EventRecord, Ownership } from '../../functions/domain/record.ts'
import { anyFence, anyFingerprint, claimedRecord, NOON } from '../support/events.ts'
import type { EventStore } from '../support/stores.ts'

const LATER = millis(NOON + 60_000)

const ownership = (now: Millis): Ownership => ({ fence: anyFence(), now, leaseUntil: millis(now + 15_000) })

const settlement = (now: Millis, fields: Partial<Settlement> = {}): Settlement => ({
  now,
  expiresAt: seconds(now / 1000 + 40 * 86_400),
  bodySha256: 'b'.repeat(64) as Sha256,
  bodySize: 7,
  bodyAt: 'dynamodb',
  ...fields,
})

/** The law of the events store: every implementation passes it, the real ones on a real engine. */
export const eventStoreLaw = (open: () => Promise<EventStore>): void => {
  let store: EventStore
  beforeAll(async () => {
    store = await open()
  })

  const claimed = async (fields: Partial<EventRecord> = {}): Promise<EventRecord> => {
    const record = claimedRecord(NOON, fields)
    expect(await store.claim(record)).toEqual({ kind: 'won', record })
    return record
  }
  const stored = (record: EventRecord, now = NOON): Promise<EventRecord | undefined> =>
    store.read(record.fingerprint, now)

  describe('claim', () => {
    it('a claim wins an absent key and remembers every field', async () => {
      const record = await claimed({ type: null, lastError: 'Timeout: slow', bodyAt: 's3:7d' })
      expect(await stored(record)).toEqual(record)
    })

    it('a claim loses to another owner and learns everything about it from the one call', async () => {
      const first = await claimed()
      const answer = await store.claim({ ...first, fence: anyFence(), eventId: 'evt_other' })
      expect(answer).toEqual({ kind: 'lost', existing: first })
      expect(await stored(first)).toEqual(first)
    })

    it('a claim remembers where its event goes: to the worker, to another destination, to several, or nowhere', async () => {
      for (const to of [['worker'], ['billing'], ['crm', 'worker'], []]) {
        const record = await claimed({ to })
        expect(await stored(record)).toEqual(record)
      }
    })

    it('a claim of what no route wants wins an absent or expired key, and its own repeat, and nothing else', async () => {
      const ignored = claimedRecord(NOON, { status: 'ignored', ignoredBecause: 'no route matches', to: [] })
      expect(await store.claim(ignored)).toEqual({ kind: 'won', record: ignored })
      expect(await store.claim(ignored)).toEqual({ kind: 'won', record: ignored })
      expect(await store.claim({ ...ignored, fence: anyFence() })).toEqual({ kind: 'lost', existing: ignored })
      const expired = await claimed({ expiresAt: toSeconds(NOON) })
      expect(await store.claim({ ...ignored, fingerprint: expired.fingerprint })).toMatchObject({ kind: 'won' })
      for (const status of ['claimed', 'queued', 'working', 'done', 'failed'] as const) {
        const existing = await claimed({ status })
        const same = { ...ignored, fingerprint: existing.fingerprint, fence: existing.fence }
        expect(await store.claim(same)).toEqual({ kind: 'lost', existing })
      }
    })

    it('what no route wanted has the place of its body noted once it is kept', async () => {
      const ignored = claimedRecord(NOON, { status: 'ignored', ignoredBecause: 'no route matches', to: [] })
      await store.claim(ignored)
      expect(await store.noteBody(ignored, settlement(LATER))).toEqual({ kind: 'moved' })
      expect(await stored(ignored)).toMatchObject({ status: 'ignored', bodyAt: 'dynamodb', to: [] })
    })

    it('fifty claims of a key at the same instant have one winner', async () => {
      const record = claimedRecord()
      const answers = await Promise.all(Array.from({ length: 50 }, () => store.claim({ ...record, fence: anyFence() })))
      expect(answers.filter(answer => answer.kind === 'won')).toHaveLength(1)
      expect(answers.filter(answer => answer.kind === 'lost')).toHaveLength(49)
    })

    it('a claim that is repeated after a lost answer recognises its own fence', async () => {
      const record = await claimed()
      expect(await store.claim(record)).toEqual({ kind: 'won', record })
    })

    it('a claim that is repeated does not bring a later status back to claimed', async () => {
      const record = await claimed()
      await store.settle(record, settlement(NOON))
      expect(await store.claim(record)).toMatchObject({ kind: 'lost', existing: { status: 'queued' } })
    })

    it.each(['queued', 'working', 'done', 'failed'] as const)('a claim loses to a record that is %s', async status => {
      const record = await claimed({ status })
      expect(await store.claim({ ...record, fence: anyFence() })).toMatchObject({
        kind: 'lost',
        existing: { status },
      })
    })

    it('a claim loses to an abandoned claim: taking over is another act', async () => {
      const record = await claimed({ leaseUntil: millis(NOON - 1) })
      expect((await store.claim({ ...record, fence: anyFence() })).kind).toBe('lost')
    })

    it('a claim counts a record as absent from the second it expires, although it is still there', async () => {
      const old = await claimed({ status: 'done', expiresAt: toSeconds(LATER), lastError: 'x', bodyAt: 'dynamodb' })
      const early = { ...old, ...claimedRecord(millis(LATER - 1_000)), fingerprint: old.fingerprint }
      expect((await store.claim(early)).kind).toBe('lost')
      const fresh = claimedRecord(LATER, { fingerprint: old.fingerprint })
      expect(await store.claim(fresh)).toEqual({ kind: 'won', record: fresh })
      expect(await stored(fresh, LATER)).toEqual(fresh)
    })
  })

  describe('takeover', () => {
    it('a takeover is refused while the lease lives', async () => {
      const record = await claimed()
      expect(await store.takeOver(record, ownership(millis(record.leaseUntil - 1)))).toEqual({ kind: 'superseded' })
      expect(await stored(record)).toEqual(record)
    })

    it('a takeover succeeds from the millisecond the lease ends, and keeps what the event is', async () => {
      const record = await claimed({ generation: 3, bodyAt: 'dynamodb', attempts: 2 })
      const by = ownership(record.leaseUntil)
      const expected = {
        ...record,
        fence: by.fence,
        leaseUntil: by.leaseUntil,
        claimedAt: by.now,
        updatedAt: by.now,
      }
      expect(await store.takeOver(record, by)).toEqual({ kind: 'owned', record: expected })
      expect(await stored(record)).toEqual(expected)
    })

    it('twenty takeovers at the same instant have one winner', async () => {
      const record = await claimed()
      const answers = await Promise.all(Array.from({ length: 20 }, () => store.takeOver(record, ownership(LATER))))
      expect(answers.filter(answer => answer.kind === 'owned')).toHaveLength(1)
      expect((await stored(record))?.attempts).toBe(0)
    })

    it('a takeover that is repeated after a lost answer is the same takeover', async () => {
      const record = await claimed()
      const by = ownership(LATER)
      const first = await store.takeOver(record, by)
      expect(await store.takeOver(record, by)).toEqual(first)
    })

    it('a takeover is refused to whoever saw an owner that is gone', async () => {
      const record = await claimed()
      await store.takeOver(record, { ...ownership(LATER), leaseUntil: LATER })
      expect(await store.takeOver(record, ownership(LATER))).toEqual({ kind: 'superseded' })
    })

    it('a takeover is refused once the event is queued', async () => {
      const record = await claimed()
      await store.settle(record, settlement(NOON))
      expect(await store.takeOver(record, ownership(LATER))).toEqual({ kind: 'superseded' })
    })

    it('a takeover is refused on an expired record', async () => {
      const record = await claimed({ expiresAt: toSeconds(LATER) })
      expect(await store.takeOver(record, ownership(LATER))).toEqual({ kind: 'superseded' })
    })
  })

  describe('reopening', () => {
    it('reopening makes a failed event claimed in its next generation, with the body that was stored for it', async () => {
      const record = await claimed({ status: 'failed', generation: 1, attempts: 5, lastError: 'Boom: no' })
      const by = ownership(LATER)
      const { now, ...body } = settlement(LATER)
      const expected = {
        ...record,
        ...body,
        status: 'claimed',
        generation: 2,
        attempts: 0,
        fence: by.fence,
        leaseUntil: by.leaseUntil,
        claimedAt: LATER,
        updatedAt: LATER,
        lastError: null,
      }
      expect(await store.reopen(record, by, settlement(LATER))).toEqual({ kind: 'owned', record: expected })
      expect(await stored(record)).toEqual(expected)
    })

    it.each([
      [['worker'], ['billing']],
      [['billing'], ['worker']],
      [['billing'], ['crm', 'worker']],
      [
        ['crm', 'worker'],
        ['crm', 'worker'],
      ],
    ])('reopening leads an event that went to %s to %s', async (before, after) => {
      const record = await claimed({ status: 'failed', to: before })
      const answer = await store.reopen(record, ownership(LATER), settlement(LATER), after)
      expect(answer).toMatchObject({ kind: 'owned', record: { to: after } })
      expect(await stored(record)).toMatchObject({ to: after, generation: 1 })
    })

    it('twenty reopenings at the same instant have one winner, and make one new generation', async () => {
      const record = await claimed({ status: 'failed' })
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => store.reopen(record, ownership(LATER), settlement(LATER))),
      )
      expect(answers.filter(answer => answer.kind === 'owned')).toHaveLength(1)
      expect((await stored(record))?.generation).toBe(1)
    })

    it('a reopening that is repeated after a lost answer is the same reopening', async () => {
      const record = await claimed({ status: 'failed' })
      const by = ownership(LATER)
      const first = await store.reopen(record, by, settlement(LATER))
      expect(await store.reopen(record, by, settlement(LATER))).toEqual(first)
    })

    it.each(['claimed', 'queued', 'working', 'done'] as const)(
      'reopening is refused on an event that is %s',
      async status => {
        const record = await claimed({ status })
        expect(await store.reopen(record, ownership(LATER), settlement(LATER))).toEqual({ kind: 'superseded' })
      },
    )

    it('reopening is refused to whoever saw an earlier generation', async () => {
      const record = await claimed({ status: 'failed', generation: 4 })
      const stale = { ...record, generation: 3 }
      expect(await store.reopen(stale, ownership(LATER), settlement(LATER))).toEqual({ kind: 'superseded' })
    })
  })

  describe('a copy', () => {
    const made = (fields: Partial<EventRecord> = {}) =>
      claimed({ to: ['billing'], copyOf: anyFingerprint(), madeBy: 0, ...fields })
    const next = (copy: EventRecord): EventRecord => ({
      ...copy,
      madeBy: 1,
      firstSeenAt: millis(copy.firstSeenAt + 1),
      bodyAt: 's3:30d',
      expiresAt: seconds(LATER / 1000 + 40 * 86_400),
    })

    it.each([
      ['done', 'the same life', 1],
      ['failed', 'the same life', 0],
      ['ignored', 'the same life', 0],
      ['done', 'another life', 0],
    ] as const)(
      'a copy that is %s is begun anew in %s of its event as its next generation, of edition %i',
      async (status, life, edition) => {
        const copy = await made({ status, attempts: 3, lastError: 'x' })
        const by = ownership(LATER)
        const again = life === 'the same life' ? { ...next(copy), firstSeenAt: copy.firstSeenAt } : next(copy)
        const expected = {
          ...again,
          status: 'claimed',
          generation: 1,
          edition,
          attempts: 0,
          fence: by.fence,
          leaseUntil: by.leaseUntil,
          claimedAt: LATER,
          updatedAt: LATER,
          lastError: null,
        }
        expect(await store.beginAnew(copy, by, again)).toEqual({ kind: 'owned', record: expected })
        expect(await stored(copy)).toEqual(expected)
      },
    )

    it('a copy that was erased is not begun anew in the life of its event, and is another in the next, which can be replayed', async () => {
      const copy = await made({ status: 'failed', erasedAt: LATER })
      const sameLife = { ...next(copy), firstSeenAt: copy.firstSeenAt }
      expect(await store.beginAnew(copy, ownership(LATER), sameLife)).toEqual({ kind: 'superseded' })
      expect(await store.beginAnew(copy, ownership(LATER), next(copy))).toMatchObject({ kind: 'owned' })
      expect(await stored(copy)).not.toHaveProperty('erasedAt')
    })

    it('a copy that its maker left is begun anew once its lease has passed, and twenty at once begin it once', async () => {
      const copy = await made()
      const early = ownership(millis(copy.leaseUntil - 1))
      expect(await store.beginAnew(copy, early, next(copy))).toEqual({ kind: 'superseded' })
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => store.beginAnew(copy, ownership(LATER), next(copy))),
      )
      expect(answers.filter(({ kind }) => kind === 'owned')).toHaveLength(1)
      expect(await stored(copy)).toMatchObject({ generation: 1, madeBy: 1 })
    })

    it('a copy is begun anew once by a call that is repeated because its answer was lost', async () => {
      const copy = await made({ status: 'done' })
      const by = ownership(LATER)
      const first = await store.beginAnew(copy, by, next(copy))
      expect(await store.beginAnew(copy, by, next(copy))).toEqual(first)
    })

    it.each(['queued', 'working'] as const)('a copy that is %s is not begun anew', async status => {
      const copy = await made({ status })
      expect(await store.beginAnew(copy, ownership(LATER), next(copy))).toEqual({ kind: 'superseded' })
      expect(await stored(copy)).toEqual(copy)
    })

    it.each(['done', 'ignored'] as const)('a copy that is %s is remembered longer, and never shorter', async status => {
      const copy = await made({ status })
      const later = seconds(copy.expiresAt + 1)
      expect(await store.outlast(copy, later)).toEqual({ kind: 'moved' })
      expect(await store.outlast(copy, copy.expiresAt)).toEqual({ kind: 'superseded' })
      expect(await stored(copy)).toEqual({ ...copy, expiresAt: later })
    })

    it.each(['claimed', 'queued', 'working', 'failed'] as const)(
      'a copy that is %s is not remembered longer for the sake of its event',
      async status => {
        const copy = await made({ status })
        expect(await store.outlast(copy, seconds(copy.expiresAt + 1))).toEqual({ kind: 'superseded' })
        expect(await stored(copy)).toEqual(copy)
      },
    )

    it('a copy that has gone on, or that there is not, is not remembered longer', async () => {
      const copy = await made({ status: 'done', generation: 2 })
      for (const stale of [
        { ...copy, generation: 1 },
        { ...copy, fingerprint: anyFingerprint() },
      ]) {
        expect(await store.outlast(stale, seconds(copy.expiresAt + 1))).toEqual({ kind: 'superseded' })
        expect(await stored(stale)).toEqual(stale.fingerprint === copy.fingerprint ? copy : undefined)
      }
    })

    it('a copy is not begun anew by who saw an earlier generation or another status of it', async () => {
      const copy = await made({ status: 'done', generation: 2 })
      for (const stale of [
        { ...copy, generation: 1 },
        { ...copy, status: 'failed' as const },
      ]) {
        expect(await store.beginAnew(stale, ownership(LATER), next(copy))).toEqual({ kind: 'superseded' })
      }
    })
  })

  describe('settle', () => {
    it('settling moves claimed to queued and notes what was forwarded and until when it is remembered', async () => {
      const record = await claimed()
      expect(await store.settle(record, settlement(LATER))).toEqual({ kind: 'moved' })
      const { now, ...body } = settlement(LATER)
      expect(await stored(record)).toEqual({ ...record, ...body, status: 'queued', updatedAt: LATER })
    })

    it('settling says so when no body was kept', async () => {
      const record = await claimed({ bodyAt: 'dynamodb' })
      await store.settle(record, settlement(LATER, { bodyAt: null }))
      expect((await stored(record))?.bodyAt).toBeNull()
    })

    it('settling changes nothing for an owner that was superseded', async () => {
      const record = await claimed()
      const taken = await store.takeOver(record, ownership(LATER))
      expect(await store.settle(record, settlement(LATER))).toEqual({ kind: 'superseded' })
      expect(taken).toEqual({ kind: 'owned', record: await stored(record) })
    })

    it('settling that is repeated after a lost answer is the same settling', async () => {
      const record = await claimed()
      await store.settle(record, settlement(LATER))
      expect(await store.settle(record, settlement(LATER))).toEqual({ kind: 'moved' })
    })

    it.each(['working', 'done', 'failed'] as const)(
      'settling never brings an event that is %s back to queued',
      async status => {
        const record = await claimed({ status })
        expect(await store.settle(record, settlement(LATER))).toEqual({ kind: 'superseded' })
        expect(await stored(record)).toEqual(record)
      },
    )
  })

  describe('noting a body', () => {
    it('noting a body tells a record that moved on where its body is, and changes nothing else', async () => {
      const record = await claimed({ status: 'done', bodyAt: null })
      const { bodySha256, bodySize, bodyAt } = settlement(LATER)
      expect(await store.noteBody({ ...record, fence: anyFence() }, settlement(LATER))).toEqual({ kind: 'moved' })
      expect(await stored(record)).toEqual({ ...record, bodySha256, bodySize, bodyAt })
    })

    it('noting a body never replaces one that is there, or changes another generation', async () => {
      const known = await claimed({ bodyAt: 's3:7d' })
      expect(await store.noteBody(known, settlement(LATER))).toEqual({ kind: 'superseded' })
      const later = await claimed({ generation: 1, bodyAt: null })
      expect(await store.noteBody({ ...later, generation: 0 }, settlement(LATER))).toEqual({ kind: 'superseded' })
      expect([await stored(known), await stored(later)]).toEqual([known, later])
    })
  })

  describe('release', () => {
    it('a release ends the lease at once and keeps the claim for the next delivery to take over', async () => {
      const record = await claimed()
      const released = { ...record, leaseUntil: NOON, updatedAt: NOON, lastError: 'QueueDoesNotExist: gone' }
      expect(await store.release(record, NOON, 'QueueDoesNotExist: gone')).toEqual({ kind: 'moved' })
      expect(await stored(record)).toEqual(released)
      expect((await store.takeOver(released, ownership(NOON))).kind).toBe('owned')
    })

    it('a release changes nothing for an owner that was superseded', async () => {
      const record = await claimed()
      await store.takeOver(record, ownership(LATER))
      expect(await store.release(record, LATER, 'x')).toEqual({ kind: 'superseded' })
    })

    it('a release is refused once the event is queued', async () => {
      const record = await claimed()
      await store.settle(record, settlement(NOON))
      expect(await store.release(record, NOON, 'x')).toEqual({ kind: 'superseded' })
    })
  })

  describe('guard', () => {
    it('a guard makes the same bytes under another id a delivery of the first event', async () => {
      const guard = anyFingerprint()
      const first = claimedRecord(NOON, { guard })
      expect(await store.claim(first)).toEqual({ kind: 'won', record: first })
      expect(await store.claim(claimedRecord(NOON, { guard }))).toEqual({ kind: 'lost', existing: first })
      expect(await store.read(first.fingerprint, NOON)).toEqual(first)
    })

    it('a guard lets the same event find its own record', async () => {
      const guard = anyFingerprint()
      const first = claimedRecord(NOON, { guard })
      await store.claim(first)
      expect(await store.claim({ ...first, fence: anyFence() })).toEqual({ kind: 'lost', existing: first })
      expect(await store.claim(first)).toEqual({ kind: 'won', record: first })
    })

    it('a guard makes what a repeat brings a delivery of the same event', async () => {
      const first = claimedRecord(NOON, { guard: anyFingerprint() })
      const guard = anyFingerprint()
      await store.claim(first)
      expect(await store.claim({ ...first, guard, fence: anyFence() })).toEqual({ kind: 'lost', existing: first })
      expect(await store.claim(claimedRecord(NOON, { guard }))).toEqual({ kind: 'lost', existing: first })
    })

    it('an exclusive guard refuses every other event, and knows its own', async () => {
      const guard = anyFingerprint()
      const first = claimedRecord(NOON, { guard })
      expect(await store.claim(first, true)).toEqual({ kind: 'won', record: first })
      expect(await store.claim(claimedRecord(NOON, { guard }), true)).toEqual({ kind: 'taken' })
      expect(await store.claim({ ...first, fence: anyFence() }, true)).toEqual({ kind: 'lost', existing: first })
      expect(await store.claim(first, true)).toEqual({ kind: 'won', record: first })
    })

    it('an exclusive guard refuses a known event that comes with what belongs to another', async () => {
      const one = claimedRecord(NOON, { guard: anyFingerprint() })
      const other = claimedRecord(NOON, { guard: anyFingerprint() })
      await store.claim(one, true)
      await store.claim(other, true)
      expect(await store.claim({ ...other, guard: one.guard, fence: anyFence() }, true)).toEqual({ kind: 'taken' })
    })

    it('a guard lets the bytes through again once the event they guarded has expired', async () => {
      const guard = anyFingerprint()
      await store.claim(claimedRecord(NOON, { expiresAt: toSeconds(LATER), guard }))
      const fresh = claimedRecord(LATER, { guard })
      expect(await store.claim(fresh)).toEqual({ kind: 'won', record: fresh })
      expect((await store.claim(claimedRecord(LATER, { guard }))).kind).toBe('lost')
    })

    it('a guard whose event is gone before it belongs to the next event that brings the bytes, and to no other', async () => {
      const guard = anyFingerprint()
      const gone = claimedRecord(NOON, { guard, expiresAt: toSeconds(LATER) })
      await store.claim(gone)
      // A reopening that comes too late extends the guard, and not its record.
      const by = { fence: anyFence(), now: NOON, leaseUntil: millis(NOON + 15_000) }
      const expiresAt = seconds(toSeconds(LATER) + 1_000)
      await store.reopen({ ...gone, generation: 7 }, by, { ...settlement(NOON), expiresAt })
      const heir = claimedRecord(LATER, { guard })
      expect(await store.claim(heir)).toEqual({ kind: 'won', record: heir })
      expect(await store.claim(claimedRecord(LATER, { guard }))).toEqual({ kind: 'lost', existing: heir })
      const again = { ...gone, fence: anyFence(), claimedAt: LATER, expiresAt }
      expect(await store.claim(again)).toEqual({ kind: 'lost', existing: heir })
    })

    it('has at most one winner among ten ids with the same bytes at the same instant', async () => {
      const guard = anyFingerprint()
      const answers = await Promise.all(Array.from({ length: 10 }, () => store.claim(claimedRecord(NOON, { guard }))))
      expect(answers.filter(answer => answer.kind === 'won')).toHaveLength(1)
      expect(answers.filter(answer => answer.kind === 'lost' || answer.kind === 'contended')).toHaveLength(9)
    })

    it('has at most one heir among ten ids with the same bytes at the same instant, whenever each ends', async () => {
      const guard = anyFingerprint()
      const gone = claimedRecord(NOON, { guard, expiresAt: toSeconds(LATER) })
      await store.claim(gone)
      const by = { fence: anyFence(), now: NOON, leaseUntil: millis(NOON + 15_000) }
      const { expiresAt } = claimedRecord(LATER)
      await store.reopen({ ...gone, generation: 7 }, by, { ...settlement(NOON), expiresAt })
      const heirs = Array.from({ length: 10 }, () => store.claim(claimedRecord(LATER, { guard, expiresAt })))
      expect((await Promise.all(heirs)).filter(({ kind }) => kind === 'won')).toHaveLength(1)
    })

    it('is extended with its event when that is reopened', async () => {
      const guard = anyFingerprint()
      const failed = claimedRecord(NOON, { guard, status: 'failed', expiresAt: toSeconds(LATER) })
      await store.claim(failed)
      const now = millis(LATER - 2_000)
      const expiresAt = seconds(toSeconds(LATER) + 1_000)
      const by = { fence: anyFence(), now, leaseUntil: millis(now + 15_000) }
      expect(await store.reopen(failed, by, { ...settlement(now), expiresAt })).toMatchObject({ kind: 'owned' })
      const answer = await store.claim(claimedRecord(millis(LATER + 5_000), { guard }))
      expect(answer).toMatchObject({ kind: 'lost', existing: { fingerprint: failed.fingerprint, guard } })
    })

    it('that another event holds by now does not stop the reopening, and stays with that event', async () => {
      const guard = anyFingerprint()
      const other = claimedRecord(NOON, { guard })
      await store.claim(other)
      const failed = claimedRecord(NOON, { status: 'failed' })
      await store.claim(failed)
      const by = { fence: anyFence(), now: LATER, leaseUntil: millis(LATER + 15_000) }
      const reopened = await store.reopen({ ...failed, guard }, by, settlement(LATER))
      expect(reopened).toMatchObject({ kind: 'owned' })
      expect(await store.claim(claimedRecord(LATER, { guard }))).toEqual({ kind: 'lost', existing: other })
    })
  })

  describe('read', () => {
    it('a read finds nothing under a key that nobody claimed', async () => {
      expect(await store.read(anyFingerprint(), NOON)).toBeUndefined()
    })

    it('a read finds nothing once the record has expired', async () => {
      const record = await claimed({ expiresAt: toSeconds(LATER) })
      expect(await stored(record, millis(LATER - 1))).toEqual(record)
      expect(await stored(record, LATER)).toBeUndefined()
    })
  })
}

/** Listing needs a store of its own: it sees everything in it. */
export const listingLaw = (open: () => Promise<EventStore>): void => {
  const DAY = 86_400_000

  const walk = async (store: EventStore, limit: number): Promise<EventRecord[]> => {
    const records: EventRecord[] = []
    let next: string | null = null
    do {
      const page = await store.list({
        limit,
        now: NOON,
        from: millis(NOON - 5 * DAY),
        ...(next !== null && { after: next }),
      })
      expect(page.records.length).toBeLessThanOrEqual(limit)
      records.push(...page.records)
      next = page.next
    } while (next !== null)
    return records
  }

  describe('listing', () => {
    it('a list shows every living event once, newest claim first, whatever the page size', async () => {
      const store = await open()
      const sameInstant = Array.from({ length: 40 }, () => claimedRecord(NOON))
      const today = Array.from({ length: 30 }, (_, index) => claimedRecord(millis(NOON - 1_000 - index)))
      const before = Array.from({ length: 30 }, (_, index) => claimedRecord(millis(NOON - 2 * DAY - index)))
      const expired = claimedRecord(millis(NOON - 3 * DAY), { expiresAt: toSeconds(NOON) })
      const tooOld = claimedRecord(millis(NOON - 6 * DAY))
      for (const record of [...sameInstant, ...today, ...before, expired, tooOld]) {
        await store.claim({ ...record, guard: anyFingerprint() })
      }
      for (const limit of [7, 100, 1_000]) {
        const listed = await walk(store, limit)
        expect(new Set(listed.map(record => record.fingerprint)).size).toBe(100)
        expect(listed).toHaveLength(100)
        const times = listed.map(record => record.claimedAt)
        expect(times).toEqual([...times].sort((left, right) => right - left))
      }
    })

    it('a list has copies only if it is asked for them', async () => {
      const store = await open()
      const event = claimedRecord(NOON)
      const copy = claimedRecord(NOON, { to: ['crm'], copyOf: event.fingerprint, madeBy: 0 })
      for (const record of [event, copy]) await store.claim(record)
      const page = { limit: 10, now: NOON, from: millis(NOON - DAY) }
      const idsOf = ({ records }: Listing) => records.map(({ fingerprint }) => fingerprint).sort()
      expect(idsOf(await store.list(page))).toEqual([event.fingerprint])
      expect(idsOf(await store.list({ ...page, copies: true }))).toEqual([event.fingerprint, copy.fingerprint].sort())
    })

    it('a list has an event at the front when it is taken over', async () => {
      const store = await open()
      const older = claimedRecord(millis(NOON - 50_000), { leaseUntil: millis(NOON - 40_000) })
      const newer = claimedRecord(millis(NOON - 20_000))
      await store.claim(older)
      await store.claim(newer)
      await store.takeOver(older, ownership(NOON))
      expect((await walk(store, 10)).map(record => record.fingerprint)).toEqual([older.fingerprint, newer.fingerprint])
    })
  })
}
