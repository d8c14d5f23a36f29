import { beforeAll, describe, expect, it } from 'vitest'
import { type Millis, millis, type Sha256, seconds } from '../../functions/domain/brands.ts'
import type { JobStore } from '../../functions/domain/job.ts'
import type { Settlement } from '../../functions/domain/ports.ts'
import type { EventRecord, Ownership } from '../../functions/domain/record.ts'
import type { RecoveryStore } from '../../functions/domain/recovery.ts'
import type { Audit, ReplayStore } from '../../functions/domain/replay.ts'
import { anyFence, anyFingerprint, claimedRecord, NOON } from '../support/events.ts'
import type { EventStore } from '../support/stores.ts'

const DAY = 86_400_000
const LATER = millis(NOON + 60_000)

export interface OpenReplay {
  readonly events: EventStore
  readonly replays: ReplayStore
  readonly jobs: JobStore
  readonly recovery: RecoveryStore
}

const ACT = { actor: 'ada', reason: 'handler fixed', job: null }

const by = (now: Millis = LATER): Ownership => ({ fence: anyFence(), now, leaseUntil: millis(now + 15_000) })

const body = (fields: Partial<Settlement> = {}): Settlement => ({
  now: LATER,
  expiresAt: seconds(LATER / 1000 + 40 * 86_400),
  bodySha256: 'b'.repeat(64) as Sha256,
  bodySize: 7,
  bodyAt: 'dynamodb',
  ...fields,
})

/** The law of the replay store. */
export const replayStoreLaw = (open: () => Promise<OpenReplay>): void => {
  let at: OpenReplay
  beforeAll(async () => {
    at = await open()
  })
  const given = async (fields: Partial<EventRecord>): Promise<EventRecord> => {
    const record = claimedRecord(NOON, fields)
    await at.events.claim(record)
    return record
  }
  const stored = (record: EventRecord) => at.events.read(record.fingerprint, LATER)

  describe('a replay', () => {
    it('of a guarded event extends its guard as long as its record', async () => {
      const guard = anyFingerprint()
      const seen = await given({ status: 'done', guard, expiresAt: seconds(LATER / 1000 + 1) })
      expect(await at.replays.begin(seen, by(), ACT, body())).toMatchObject({ kind: 'begun', record: { guard } })
      const later = claimedRecord(millis(LATER + 39 * 86_400_000), { guard })
      expect(await at.events.claim(later)).toMatchObject({ kind: 'lost', existing: { fingerprint: seen.fingerprint } })
    })

    it('is not stopped by a guard that another event holds by now', async () => {
      const guard = anyFingerprint()
      const other = await given({ guard })
      const seen = await given({ status: 'done' })
      expect(await at.replays.begin({ ...seen, guard }, by(), ACT, body())).toMatchObject({ kind: 'begun' })
      expect(await at.events.claim(claimedRecord(LATER, { guard }))).toEqual({ kind: 'lost', existing: other })
    })

    it.each([
      [['worker'], ['billing']],
      [['billing'], ['worker']],
      [[], ['crm', 'worker']],
    ])('of an event that went to %j leads it to %j', async (before, after) => {
      const seen = await given({ status: 'done', to: before })
      const answer = await at.replays.begin(seen, by(), ACT, body(), after)
      expect(answer).toMatchObject({ kind: 'begun', record: { to: after } })
      expect(await stored(seen)).toMatchObject({ to: after, generation: 1 })
    })

    it('of a claim begins once its lease has passed, unless another has taken over since it was seen', async () => {
      const seen = await given({ edition: 1 })
      const early = by(millis(seen.leaseUntil - 1))
      expect(await at.replays.begin(seen, early, ACT, body())).toEqual({ kind: 'superseded' })
      expect(await stored(seen)).toEqual(seen)
      expect(await at.replays.begin(seen, by(), ACT, body())).toMatchObject({ kind: 'begun' })
      expect(await stored(seen)).toMatchObject({ status: 'claimed', generation: 1, edition: 1, attempts: 0 })

      const other = await given({})
      await at.events.takeOver(other, { ...by(other.leaseUntil), leaseUntil: LATER })
      expect(await at.replays.begin(other, by(), ACT, body())).toEqual({ kind: 'superseded' })
    })

    it('of a done event is claimed in its next generation, under another idempotency key, with its audit', async () => {
      const seen = await given({ status: 'done', generation: 2, edition: 1, attempts: 4, lastError: 'old' })
      const owner = by()
      expect(await at.replays.begin(seen, owner, ACT, body())).toMatchObject({ kind: 'begun' })
      expect(await stored(seen)).toEqual({
        ...seen,
        status: 'claimed',
        generation: 3,
        edition: 2,
        fence: owner.fence,
        leaseUntil: owner.leaseUntil,
        claimedAt: LATER,
        updatedAt: LATER,
        attempts: 0,
        lastError: null,
        bodySha256: 'b'.repeat(64),
        bodySize: 7,
        bodyAt: 'dynamodb',
        expiresAt: LATER / 1000 + 40 * 86_400,
      })
      expect(await at.replays.audits(seen.fingerprint, [0, 1, 2, 3, 4])).toEqual([
        {
          fingerprint: seen.fingerprint,
          generation: 3,
          act: 'replay',
          was: 'done',
          actor: 'ada',
          reason: 'handler fixed',
          job: null,
          at: LATER,
          fence: owner.fence,
          before: { claimedAt: seen.claimedAt, updatedAt: seen.updatedAt, says: 'old' },
        },
      ])
    })

    it('a replay of a failed event keeps its idempotency key', async () => {
      const seen = await given({ status: 'failed', edition: 5 })
      await at.replays.begin(seen, by(), ACT, body())
      expect(await stored(seen)).toMatchObject({ status: 'claimed', generation: 1, edition: 5 })
    })

    it('a replay stores the record that it answers with', async () => {
      const seen = await given({ status: 'failed' })
      const answer = await at.replays.begin(seen, by(), ACT, body())
      expect(answer.kind === 'begun' && answer.record).toEqual(await stored(seen))
    })

    it('a replay of a copy stores which generation and edition of its event it is of', async () => {
      const copy = await given({ status: 'done', to: ['crm'], copyOf: anyFingerprint(), madeBy: 0 })
      const answer = await at.replays.begin({ ...copy, madeBy: 2, madeIn: 1 }, by(), ACT, body())
      expect(answer.kind === 'begun' && answer.record).toEqual(await stored(copy))
      expect(await stored(copy)).toMatchObject({ generation: 1, edition: 1, madeBy: 2, madeIn: 1 })
    })

    it.each(['claimed', 'queued', 'working'] as const)('a replay is not begun on an event that is %s', async status => {
      const seen = await given({ status })
      expect(await at.replays.begin({ ...seen, status: 'done' }, by(), ACT, body())).toEqual({ kind: 'superseded' })
      expect(await stored(seen)).toEqual(seen)
      expect(await at.replays.audits(seen.fingerprint, [1])).toEqual([])
    })

    it('a replay is not begun on another generation, another end, or an event that is forgotten', async () => {
      const seen = await given({ status: 'done', generation: 1 })
      const forgotten = await given({ status: 'done', expiresAt: seconds(LATER / 1000) })
      expect((await at.replays.begin({ ...seen, generation: 0 }, by(), ACT, body())).kind).toBe('superseded')
      expect((await at.replays.begin({ ...seen, status: 'failed' }, by(), ACT, body())).kind).toBe('superseded')
      expect((await at.replays.begin(forgotten, by(), ACT, body())).kind).toBe('superseded')
      expect(await stored(seen)).toEqual(seen)
    })

    it('a replay repeated under its own fence is begun once, and under another one it is superseded', async () => {
      const seen = await given({ status: 'done' })
      const owner = by()
      await at.replays.begin(seen, owner, ACT, body())
      expect((await at.replays.begin(seen, owner, ACT, body())).kind).toBe('begun')
      expect((await at.replays.begin(seen, by(), ACT, body())).kind).toBe('superseded')
      expect(await stored(seen)).toMatchObject({ generation: 1, fence: owner.fence })
    })

    it('a replay asked for twenty times at once is begun once', async () => {
      const seen = await given({ status: 'done' })
      const answers = await Promise.all(Array.from({ length: 20 }, () => at.replays.begin(seen, by(), ACT, body())))
      expect(answers.filter(({ kind }) => kind === 'begun')).toHaveLength(1)
      expect(answers.filter(({ kind }) => kind === 'unavailable')).toEqual([])
      expect(await stored(seen)).toMatchObject({ generation: 1 })
    })

    it('a replay of an event that was forgotten and came again is not stopped by the audit of its earlier life', async () => {
      const earlier = await given({ status: 'done' })
      await at.replays.begin(earlier, by(), ACT, body({ expiresAt: seconds(LATER / 1000 + 60) }))
      const reborn = millis(LATER + DAY)
      const again = claimedRecord(reborn, { fingerprint: earlier.fingerprint, status: 'done' })
      expect((await at.events.claim(again)).kind).toBe('won')
      const owner = by(millis(reborn + 1))
      expect((await at.replays.begin(again, owner, { ...ACT, actor: 'bob' }, body())).kind).toBe('begun')
      expect(await at.replays.audits(earlier.fingerprint, [1])).toMatchObject([{ actor: 'bob' }])
    })

    it('a replay is not stopped by the note of an acceptance that never happened', async () => {
      const seen = await given({ status: 'failed' })
      const noted = { ...ACT, fingerprint: seen.fingerprint, generation: 1, act: 'accept', was: 'failed' } as const
      await at.replays.note({ ...noted, at: millis(NOON + 1), fence: anyFence(), before: null }, seen.firstSeenAt)
      expect((await at.replays.begin(seen, by(), { ...ACT, actor: 'bob' }, body())).kind).toBe('begun')
      expect(await stored(seen)).toMatchObject({ status: 'claimed', generation: 1 })
      expect(await at.replays.audits(seen.fingerprint, [1])).toMatchObject([{ act: 'replay', actor: 'bob' }])
    })

    it('a replay is met by recovery at the time it was begun, and seen first in the list', async () => {
      const { events, replays, recovery } = await open()
      const seen = claimedRecord(NOON, { status: 'done' })
      await events.claim(seen)
      await events.claim(claimedRecord(millis(NOON + 1)))
      await replays.begin(seen, by(), ACT, body())
      const { records } = await events.list({ limit: 10, now: LATER, from: millis(NOON - DAY) })
      expect(records.map(({ fingerprint }) => fingerprint)[0]).toBe(seen.fingerprint)
      const found = await recovery.scan(`${new Date(NOON + 30_000).toISOString()}#`, millis(LATER + 1), 10)
      expect(found.records.map(({ fingerprint }) => fingerprint)).toEqual([seen.fingerprint])
    })
  })

  describe('an audit', () => {
    const audit = (fields: Partial<Audit> = {}): Audit => ({
      fingerprint: anyFingerprint(),
      generation: 0,
      act: 'accept',
      was: null,
      ...ACT,
      at: NOON,
      fence: anyFence(),
      before: null,
      ...fields,
    })

    it('an audit noted before an act stays as it was noted first', async () => {
      const first = audit()
      await at.replays.note(first, NOON)
      expect(await at.replays.note({ ...first, actor: 'eve' }, NOON)).toEqual({ kind: 'noted' })
      expect(await at.replays.audits(first.fingerprint, [0])).toEqual([first])
    })

    it('an audit of an earlier life of its event gives way', async () => {
      const first = audit()
      await at.replays.note(first, NOON)
      const again = { ...first, actor: 'bob', at: LATER, fence: anyFence() }
      expect(await at.replays.note(again, millis(NOON + 1))).toEqual({ kind: 'noted' })
      expect(await at.replays.audits(first.fingerprint, [0])).toEqual([again])
    })

    it('audits and jobs are seen neither by the list nor by recovery', async () => {
      const { events, replays, jobs, recovery } = await open()
      await replays.note(audit({ job: 'j1' }), NOON)
      await jobs.create(aJob('j1'))
      expect((await events.list({ limit: 10, now: LATER, from: millis(NOON - DAY) })).records).toEqual([])
      const scan = await recovery.scan(`${new Date(NOON - DAY / 2).toISOString()}#`, LATER, 10)
      expect(scan.records).toEqual([])
    })

    it('audits are listed newest first, over midnights, within their bounds', async () => {
      const { replays } = await open()
      const times = [NOON - 2 * DAY, NOON - DAY, NOON - DAY + 1, NOON, NOON + 5]
      for (const time of times) await replays.note(audit({ at: millis(time) }), millis(time))
      const list = async (from: number, until: number, limit: number) =>
        (await replays.recent(millis(from), millis(until), limit)).map(({ at }) => at)
      expect(await list(NOON - 3 * DAY, NOON + 5, 10)).toEqual(times.toReversed())
      expect(await list(NOON - DAY, NOON, 10)).toEqual([NOON, NOON - DAY + 1, NOON - DAY])
      expect(await list(NOON - 3 * DAY, NOON + 5, 2)).toEqual([NOON + 5, NOON])
    })
  })

  describe('a job', () => {
    it('a job is created once, and saved while it runs', async () => {
      const { jobs } = await open()
      const job = aJob('j1')
      await jobs.create(job)
      await expect(jobs.create(job)).rejects.toThrow()
      expect(await jobs.save({ ...job, replayed: 3, refused: { 'no-body': 1 } })).toEqual({ kind: 'saved' })
      expect(await jobs.read('j1')).toEqual({ ...job, replayed: 3, refused: { 'no-body': 1 } })
    })

    it.each(['cancelled', 'finished'] as const)('a job that is %s stays so, and is not created again', async state => {
      const { jobs } = await open()
      const job = aJob('j1')
      await jobs.create(job)
      expect(await jobs.save({ ...job, state })).toEqual({ kind: 'saved' })
      expect(await jobs.save({ ...job, replayed: 9 })).toEqual({ kind: 'ended' })
      await expect(jobs.create(job)).rejects.toThrow()
      expect(await jobs.read('j1')).toMatchObject({ state, replayed: 0 })
    })

    it('a job that nobody created is unknown, and is not created by being saved', async () => {
      const { jobs } = await open()
      expect(await jobs.save(aJob('ghost'))).toEqual({ kind: 'ended' })
      expect(await jobs.read('ghost')).toBeUndefined()
    })

    it('jobs are listed newest first', async () => {
      const { jobs } = await open()
      for (const [id, startedAt] of [
        ['a', NOON],
        ['b', NOON + 10],
        ['c', NOON - DAY],
      ] as const) {
        await jobs.create({ ...aJob(id), startedAt: millis(startedAt) })
      }
      expect((await jobs.recent(millis(NOON - 2 * DAY), LATER, 10)).map(({ id }) => id)).toEqual(['b', 'a', 'c'])
    })
  })
}

const aJob = (id: string) =>
  ({
    id,
    state: 'running',
    source: 'stripe',
    status: null,
    type: null,
    from: millis(NOON - DAY),
    until: NOON,
    reason: 'handler fixed',
    actor: 'ada',
    rate: 10,
    expected: 5,
    startedAt: NOON,
    updatedAt: NOON,
    cursor: null,
    replayed: 0,
    refused: {},
  }) as const
