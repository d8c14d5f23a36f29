import { beforeAll, describe, expect, it } from 'vitest'
import { type Millis, millis, type Sha256, seconds, toSeconds } from '../../functions/domain/brands.ts'
import type { EventRecord, Ownership } from '../../functions/domain/record.ts'
import type { Failure, FailureStore, Mark, WorkStore } from '../../functions/domain/work.ts'
import { anyFence, anyFingerprint, claimedRecord, NOON } from '../support/events.ts'
import type { EventStore } from '../support/stores.ts'

const LATER = millis(NOON + 60_000)

export interface OpenWork {
  readonly events: EventStore
  readonly work: WorkStore & FailureStore
  /** The same through a service that has forgotten every token it was shown. */
  readonly forgetful: Pick<WorkStore, 'commit'>
  /** A table of the handler's own, or a place that stands for one. */
  readonly effectsTable: string
  /** What handlers wrote to it under a key. */
  effect(key: string): Promise<unknown>
}

/** What a message of `record` implies when an attempt starts at `now`. */
const attempt = (record: EventRecord, now: Millis = NOON, fields: Partial<EventRecord> = {}): EventRecord => ({
  ...record,
  status: 'working',
  fence: anyFence(),
  leaseUntil: millis(now + 10_000),
  attempts: 1,
  updatedAt: now,
  claimedAt: now,
  ...fields,
})

const failure = (fields: Partial<Failure> = {}): Failure => ({
  lastError: 'Boom: no',
  bodySha256: 'c'.repeat(64) as Sha256,
  bodySize: 9,
  bodyAt: 'dynamodb',
  expiresAt: seconds(NOON / 1000 + 50 * 86_400),
  ...fields,
})

const by = (now: Millis, fence = anyFence()): Ownership => ({ fence, now, leaseUntil: now })

/** The law of the work store. */
export const workStoreLaw = (open: () => Promise<OpenWork>): void => {
  let at: OpenWork
  beforeAll(async () => {
    at = await open()
  })

  const stored = (record: EventRecord, now = NOON) => at.events.read(record.fingerprint, now)
  const given = async (fields: Partial<EventRecord> = {}): Promise<EventRecord> => {
    const record = claimedRecord(NOON, { status: 'queued', ...fields })
    await at.events.claim(record)
    return record
  }
  const taken = async (fields: Partial<EventRecord> = {}): Promise<EventRecord> => {
    const answer = await at.work.take(attempt(await given(fields)), NOON)
    if (answer.kind !== 'taken') throw new Error(answer.kind)
    return answer.record
  }

  describe('take', () => {
    it.each(['queued', 'claimed'] as const)('taking makes a %s event working, under its own fence', async status => {
      const record = await given({ status, attempts: 2 })
      const mine = attempt(record, LATER)
      const answer = await at.work.take(mine, LATER)
      const { fence, leaseUntil } = mine
      const expected = { ...record, status: 'working', fence, leaseUntil, updatedAt: LATER, attempts: 3 }
      expect(answer).toEqual({ kind: 'taken', record: expected })
      expect(await stored(record)).toEqual(expected)
    })

    it('twenty consumers that take an event at the same instant have one winner', async () => {
      const record = await given()
      const answers = await Promise.all(Array.from({ length: 20 }, () => at.work.take(attempt(record), NOON)))
      expect(answers.filter(({ kind }) => kind === 'taken')).toHaveLength(1)
      expect(answers.filter(({ kind }) => kind === 'busy')).toHaveLength(19)
    })

    it('taking that is repeated after a lost answer is the same taking', async () => {
      const record = await given()
      const mine = attempt(record)
      const first = await at.work.take(mine, NOON)
      expect(await at.work.take(mine, NOON)).toEqual(first)
      expect(first).toMatchObject({ kind: 'taken', record: { attempts: 1 } })
    })

    it('is one try, and one recreation, when it is repeated after a lost answer, however late', async () => {
      for (const record of [await given(), claimedRecord()]) {
        const mine = attempt(record)
        await at.work.take(mine, NOON)
        await at.work.report({ ...mine }, LATER, 'Boom: no', LATER)
        expect(await at.work.take(mine, LATER)).toMatchObject({ kind: 'taken', record: { attempts: 1 } })
        expect(await stored(record)).toMatchObject({ attempts: 1, leaseUntil: LATER, lastError: 'Boom: no' })
      }
    })

    it('taking leaves a live lease alone, and takes from a consumer whose lease has passed', async () => {
      const record = await taken()
      const { leaseUntil } = record
      expect(await at.work.take(attempt(record), millis(leaseUntil - 1))).toEqual({ kind: 'busy', leaseUntil })
      const again = await at.work.take(attempt(record, leaseUntil), leaseUntil)
      expect(again).toMatchObject({ kind: 'taken', record: { attempts: 2 } })
    })

    it.each(['done', 'failed'] as const)('taking finds a %s event of its generation over', async status => {
      const record = await given({ status })
      expect(await at.work.take(attempt(record), NOON)).toEqual({ kind: 'over', status })
      expect(await stored(record)).toEqual(record)
    })

    it('taking is superseded by a later generation, whatever its status', async () => {
      for (const status of ['claimed', 'queued', 'working', 'done', 'failed'] as const) {
        const record = await given({ status, generation: 2 })
        expect(await at.work.take(attempt(record, NOON, { generation: 1 }), NOON)).toEqual({ kind: 'superseded' })
      }
    })

    it('taking recreates an absent record whole, from what the message implies', async () => {
      const implied = attempt(claimedRecord())
      expect(await at.work.take(implied, NOON)).toEqual({ kind: 'taken', record: implied })
      expect(await stored(implied)).toEqual(implied)
    })

    it('taking recreates nothing when its consumer has gone by then', async () => {
      const implied = attempt(claimedRecord())
      expect(await at.work.take(implied, NOON, AbortSignal.abort())).toMatchObject({ kind: 'unavailable' })
      expect(await stored(implied)).toBeUndefined()
      const waiting = attempt(await given({}))
      expect(await at.work.take(waiting, NOON, AbortSignal.abort())).toMatchObject({ kind: 'taken' })
    })

    it('taking recreates a record that has expired, or that a restored table has set back to an earlier generation', async () => {
      const expired = await given({ status: 'done', expiresAt: toSeconds(LATER) })
      const fresh = attempt(expired, LATER, { expiresAt: seconds(LATER / 1000 + 100) })
      expect(await at.work.take(fresh, LATER)).toEqual({ kind: 'taken', record: fresh })
      const behind = await given({ status: 'done', generation: 1 })
      const ahead = attempt(behind, NOON, { generation: 2 })
      expect(await at.work.take(ahead, NOON)).toEqual({ kind: 'taken', record: ahead })
    })
  })

  describe('giving a try back', () => {
    it('takes it off the count and ends the lease, once', async () => {
      const record = await taken({ attempts: 4 })
      expect(await at.work.giveBack(record, LATER)).toEqual({ kind: 'moved' })
      expect(await at.work.giveBack(record, LATER)).toEqual({ kind: 'superseded' })
      expect(await stored(record)).toEqual({ ...record, attempts: 4, leaseUntil: NOON, updatedAt: LATER })
      expect(await at.work.take(attempt(record), NOON)).toMatchObject({ kind: 'taken', record: { attempts: 5 } })
    })

    it('is possible when the lease has passed long ago', async () => {
      const record = await taken()
      const muchLater = millis(record.leaseUntil + 3_600_000)
      expect(await at.work.giveBack(record, muchLater)).toEqual({ kind: 'moved' })
      expect((await stored(record))?.attempts).toBe(0)
    })

    it('does nothing for a taking that never happened, or whose event another has taken since', async () => {
      const record = await given()
      expect(await at.work.giveBack(attempt(record), LATER)).toEqual({ kind: 'superseded' })
      expect(await stored(record)).toEqual(record)
      const mine = await taken()
      const other = await at.work.take(attempt(mine, mine.leaseUntil), mine.leaseUntil)
      expect(await at.work.giveBack(mine, LATER)).toEqual({ kind: 'superseded' })
      expect(other).toMatchObject({ kind: 'taken', record: await stored(mine) })
    })
  })

  describe('finish', () => {
    it('finishing makes a working event done, for its owner', async () => {
      const record = await taken({ lastError: 'Boom: once' })
      expect(await at.work.finish(record, LATER)).toEqual({ kind: 'moved' })
      expect(await stored(record)).toEqual({ ...record, status: 'done', updatedAt: LATER, lastError: null })
    })

    it('finishing that is repeated after a lost answer is the same finishing', async () => {
      const record = await taken()
      await at.work.finish(record, LATER)
      expect(await at.work.finish(record, LATER)).toEqual({ kind: 'moved' })
    })

    it('finishing tells a consumer whose lease was taken that it is not done, and changes nothing', async () => {
      const record = await taken()
      const other = await at.work.take(attempt(record, record.leaseUntil), record.leaseUntil)
      expect(await at.work.finish(record, LATER)).toMatchObject({ kind: 'busy' })
      expect(other).toMatchObject({ kind: 'taken', record: await stored(record) })
    })

    it('finishing tells a late consumer that another one finished', async () => {
      const record = await taken()
      const other = await at.work.take(attempt(record, record.leaseUntil), record.leaseUntil)
      if (other.kind === 'taken') await at.work.finish(other.record, LATER)
      expect(await at.work.finish(record, LATER)).toEqual({ kind: 'over', status: 'done' })
    })

    it('finishing tells a consumer of an earlier generation that it is superseded', async () => {
      const record = await given({ generation: 3 })
      expect(await at.work.finish(attempt(record, NOON, { generation: 2 }), NOON)).toEqual({ kind: 'superseded' })
    })
  })

  describe('ignore', () => {
    it('ignoring makes a working event ignored, for its owner, with the reason', async () => {
      const record = await taken({ lastError: 'Boom: once' })
      const ignored = { ...record, status: 'ignored', updatedAt: LATER, lastError: null, ignoredBecause: 'not ours' }
      expect(await at.work.ignore(record, LATER, 'not ours')).toEqual({ kind: 'moved' })
      expect(await stored(record)).toEqual(ignored)
    })

    it('ignoring that is repeated after a lost answer is the same ignoring', async () => {
      const record = await taken()
      await at.work.ignore(record, LATER, 'not ours')
      expect(await at.work.ignore(record, LATER, 'not ours')).toEqual({ kind: 'moved' })
    })

    it('ignoring changes nothing once the event is done, or another owns it', async () => {
      const done = await taken()
      await at.work.finish(done, LATER)
      expect(await at.work.ignore(done, LATER, 'not ours')).toEqual({ kind: 'over', status: 'done' })
      const lost = await taken()
      await at.work.take(attempt(lost, lost.leaseUntil), lost.leaseUntil)
      expect(await at.work.ignore(lost, LATER, 'not ours')).toMatchObject({ kind: 'busy' })
      expect(await stored(done)).toMatchObject({ status: 'done', ignoredBecause: null })
      expect(await stored(lost)).toMatchObject({ status: 'working', ignoredBecause: null })
    })

    it('an ignored event is not taken, finished, committed or failed in its generation', async () => {
      const record = await taken()
      await at.work.ignore(record, LATER, 'not ours')
      const over = { kind: 'over', status: 'ignored' }
      const later = record.leaseUntil
      expect(await at.work.take(attempt(record, later), later)).toEqual(over)
      expect(await at.work.finish(record, LATER)).toEqual(over)
      expect(await at.work.commit(record, [], record.fence, LATER)).toEqual(over)
      expect(await at.work.fail(attempt(record), by(later), failure())).toEqual(over)
    })
  })

  describe('report', () => {
    it('a report keeps the event working, with its error, and ends the lease', async () => {
      const record = await taken()
      expect(await at.work.report(record, LATER, 'Boom: no', LATER)).toEqual({ kind: 'moved' })
      expect(await stored(record)).toEqual({ ...record, leaseUntil: LATER, updatedAt: LATER, lastError: 'Boom: no' })
      expect((await at.work.take(attempt(record, LATER), LATER)).kind).toBe('taken')
    })

    it('a report changes nothing once the event is done, or another owns it', async () => {
      const record = await taken()
      await at.work.finish(record, NOON)
      expect(await at.work.report(record, LATER, 'x', LATER)).toEqual({ kind: 'superseded' })
      expect((await stored(record))?.status).toBe('done')
    })
  })

  describe('fail', () => {
    it('failing makes the event failed for its owner, with the body that was kept for redrive', async () => {
      const record = await taken()
      expect(await at.work.fail(record, by(LATER, record.fence), failure())).toEqual({ kind: 'moved' })
      expect(await stored(record)).toEqual({
        ...record,
        ...failure(),
        status: 'failed',
        leaseUntil: LATER,
        updatedAt: LATER,
      })
    })

    it('extends the guard as long as the record, though the message does not name it', async () => {
      const guard = anyFingerprint()
      const record = await taken({ guard, expiresAt: toSeconds(LATER) })
      const implied = { ...record, guard: null }
      const now = millis(LATER - 1_000)
      expect(await at.work.fail(implied, by(now, record.fence), failure())).toEqual({ kind: 'moved' })
      const other = claimedRecord(millis(LATER + 1_000), { guard })
      expect(await at.events.claim(other)).toMatchObject({
        kind: 'lost',
        existing: { fingerprint: record.fingerprint, status: 'failed', guard },
      })
    })

    it('says when no body could be kept', async () => {
      const record = await taken({ bodyAt: 'dynamodb' })
      await at.work.fail(record, by(LATER, record.fence), failure({ bodyAt: null }))
      expect((await stored(record))?.bodyAt).toBeNull()
    })

    it('failing waits for a live lease of another, and fails the event once it has passed', async () => {
      const record = await taken()
      expect(await at.work.fail(record, by(millis(record.leaseUntil - 1)), failure())).toMatchObject({ kind: 'busy' })
      expect(await at.work.fail(record, by(record.leaseUntil), failure())).toEqual({ kind: 'moved' })
    })

    it('failing that is repeated after a lost answer is the same failing', async () => {
      const record = await taken()
      const mine = by(LATER)
      await at.work.fail(record, mine, failure())
      expect(await at.work.fail(record, mine, failure())).toEqual({ kind: 'moved' })
    })

    it('failing never touches an event that is done, or of a later generation', async () => {
      const done = await given({ status: 'done' })
      expect(await at.work.fail(attempt(done), by(LATER), failure())).toEqual({ kind: 'over', status: 'done' })
      const later = await given({ generation: 1 })
      expect(await at.work.fail(attempt(later, NOON, { generation: 0 }), by(LATER), failure())).toEqual({
        kind: 'superseded',
      })
      for (const record of [done, later]) expect(await stored(record)).toEqual(record)
    })

    it.each([null, 's3:7d'])(
      'failing gives a failed event, whose body was at %s, the one its dead letter still had',
      async bodyAt => {
        const record = await given({ status: 'failed', bodyAt })
        expect(await at.work.fail(attempt(record), by(LATER), failure())).toEqual({ kind: 'moved' })
        expect((await stored(record))?.bodyAt).toBe('dynamodb')
      },
    )

    it('failing leaves a failed event alone that has its body and ends later', async () => {
      const record = await given({ status: 'failed', bodyAt: 's3:14d', expiresAt: seconds(failure().expiresAt + 1) })
      expect(await at.work.fail(attempt(record), by(LATER), { ...failure(), bodyAt: null })).toEqual({
        kind: 'over',
        status: 'failed',
      })
      expect(await stored(record)).toEqual(record)
    })

    it('failing recreates an absent record as failed', async () => {
      const implied = attempt(claimedRecord())
      const mine = by(LATER)
      expect(await at.work.fail(implied, mine, failure())).toEqual({ kind: 'moved' })
      expect(await stored(implied)).toEqual({
        ...implied,
        ...failure(),
        status: 'failed',
        fence: mine.fence,
        leaseUntil: LATER,
        updatedAt: LATER,
      })
    })
  })

  describe('commit', () => {
    const write = (key: string) => ({ Put: { TableName: at.effectsTable, Item: { key, value: key } } })

    it('a commit writes the effects and done together', async () => {
      const record = await taken()
      const key = anyFingerprint()
      expect(await at.work.commit(record, [write(key)], record.fence, LATER)).toEqual({ kind: 'committed' })
      expect((await stored(record))?.status).toBe('done')
      expect(await at.effect(key)).toEqual({ key, value: key })
    })

    it('a commit that is repeated with its token is the same commit', async () => {
      const record = await taken()
      const key = anyFingerprint()
      await at.work.commit(record, [write(key)], record.fence, LATER)
      expect(await at.work.commit(record, [write(key)], record.fence, LATER)).toEqual({ kind: 'committed' })
    })

    it('a commit that is repeated after the service has forgotten its token is the same commit', async () => {
      const record = await taken()
      const key = anyFingerprint()
      await at.work.commit(record, [write(key)], record.fence, LATER)
      expect(await at.forgetful.commit(record, [write(key)], record.fence, LATER)).toEqual({ kind: 'committed' })
    })

    it('a commit of other writes after one whose answer was lost writes nothing, and is not told that it did', async () => {
      const record = await taken()
      const [first, second] = [anyFingerprint(), anyFingerprint()]
      await at.work.commit(record, [write(first)], record.fence, LATER)
      const other = await at.work.commit(record, [write(second)], anyFence(), LATER)
      expect(other).toEqual({ kind: 'over', status: 'done' })
      expect(await at.effect(second)).toBeUndefined()
    })

    it('one of two commits at once is told committed, and only the writes of that one are there', async () => {
      const record = await taken()
      const keys = [anyFingerprint(), anyFingerprint()]
      const answers = await Promise.all(keys.map(key => at.work.commit(record, [write(key)], anyFence(), LATER)))
      const told = answers.map(({ kind }) => kind === 'committed')
      const written = await Promise.all(keys.map(async key => (await at.effect(key)) !== undefined))
      expect(written).toEqual(told)
      expect(told.filter(Boolean)).toHaveLength(1)
    })

    it('a commit is not told committed for the commit of an earlier take', async () => {
      const record = await taken()
      const key = anyFingerprint()
      await at.work.report(record, LATER, 'Boom: no', LATER)
      const again = await at.work.take(attempt(record, LATER), LATER)
      if (again.kind !== 'taken') throw new Error(again.kind)
      await at.work.commit(again.record, [write(anyFingerprint())], again.record.fence, LATER)
      expect(await at.work.commit(record, [write(key)], record.fence, LATER)).toEqual({ kind: 'over', status: 'done' })
      expect(await at.effect(key)).toBeUndefined()
    })

    it('a commit writes nothing for a consumer that lost its event', async () => {
      const record = await taken()
      await at.work.take(attempt(record, record.leaseUntil), record.leaseUntil)
      const key = anyFingerprint()
      expect(await at.work.commit(record, [write(key)], record.fence, LATER)).toMatchObject({ kind: 'busy' })
      expect(await at.effect(key)).toBeUndefined()
    })

    it('a commit writes nothing when the event was done by another, or moved on', async () => {
      const record = await taken()
      const other = await at.work.take(attempt(record, record.leaseUntil), record.leaseUntil)
      if (other.kind === 'taken') await at.work.finish(other.record, LATER)
      const key = anyFingerprint()
      expect(await at.work.commit(record, [write(key)], record.fence, LATER)).toEqual({ kind: 'over', status: 'done' })
      expect(await at.effect(key)).toBeUndefined()
    })

    it('a commit names the write whose condition was not met, and writes nothing', async () => {
      const record = await taken()
      const key = anyFingerprint()
      const stale: Mark = { key: anyFingerprint(), version: 1, by: 'other', expiresAt: record.expiresAt }
      await at.work.advance({ ...stale, version: 2 }, NOON)
      const answer = await at.work.commit(record, [write(key), at.work.advanceWrite(stale, NOON)], record.fence, LATER)
      expect(answer).toEqual({ kind: 'refused', index: 1, code: 'ConditionalCheckFailed' })
      expect(await at.effect(key)).toBeUndefined()
      expect((await stored(record))?.status).toBe('working')
    })
  })

  describe('the newest version of a key', () => {
    const mark = (version: Mark['version'], fields: Partial<Mark> = {}): Mark => ({
      key: 'k',
      version,
      by: 'event-1',
      expiresAt: seconds(NOON / 1000 + 1_000),
      ...fields,
    })

    it.each([
      ['numbers', 9, 10],
      ['times', '2026-11-15T12:00:00Z', '2026-11-15T12:00:01Z'],
      ['digits', '9', '10'],
      ['a number, then digits', 9, '10'],
      ['from 15 to 16 digits', '999999999999999', '1000000000000000'],
      ['more digits than a number can hold', '9007199254740992', '9007199254740993'],
      ['from 18 to 19 digits', '999999999999999999', '1000000000000000000'],
    ])('the newest version of a key only grows: %s', async (_name, older, newer) => {
      const key = anyFingerprint()
      expect(await at.work.advance(mark(older, { key }), NOON)).toEqual({ kind: 'newest' })
      expect(await at.work.advance(mark(newer, { key, by: 'event-2' }), NOON)).toEqual({ kind: 'newest' })
      expect(await at.work.advance(mark(older, { key }), NOON)).toEqual({ kind: 'stale' })
    })

    it('the newest version of a key is not stale to the event that brought it, and is to another of the same version', async () => {
      const key = anyFingerprint()
      await at.work.advance(mark(1, { key }), NOON)
      expect(await at.work.advance(mark(1, { key }), NOON)).toEqual({ kind: 'newest' })
      expect(await at.work.advance(mark(1, { key, by: 'event-2' }), NOON)).toEqual({ kind: 'stale' })
    })

    it('the newest version of a key is forgotten when it expires', async () => {
      const key = anyFingerprint()
      await at.work.advance(mark(9, { key, expiresAt: toSeconds(LATER) }), NOON)
      expect(await at.work.advance(mark(1, { key, by: 'event-2' }), LATER)).toEqual({ kind: 'newest' })
    })

    const ENDS = toSeconds(LATER)
    const STALE = mark(1, { by: 'event-2' })
    const isKnown = async (key: string): Promise<void> =>
      expect(await at.work.advance({ ...STALE, key }, LATER)).toEqual({ kind: 'stale' })

    it('the newest version of a key lives as long as an older one that it refused', async () => {
      const key = anyFingerprint()
      await at.work.advance(mark(9, { key, expiresAt: ENDS }), NOON)
      expect(await at.work.advance({ ...STALE, key }, NOON)).toEqual({ kind: 'stale' })
      await isKnown(key)
    })

    it('the newest version of a key lives as long as an older one that it refused in a commit', async () => {
      const key = anyFingerprint()
      const record = await taken()
      await at.work.advance(mark(9, { key, expiresAt: ENDS }), NOON)
      const writes = [at.work.advanceWrite({ ...STALE, key }, NOON)]
      const refused = { kind: 'refused', index: 0, code: 'ConditionalCheckFailed' }
      expect(await at.work.commit(record, writes, record.fence, NOON)).toEqual(refused)
      await isKnown(key)
    })

    it('the newest version of a key still lives as long as one that it refused after the event that set it came again', async () => {
      const key = anyFingerprint()
      await at.work.advance(mark(9, { key, expiresAt: ENDS }), NOON)
      await at.work.advance({ ...STALE, key }, NOON)
      expect(await at.work.advance(mark(9, { key, expiresAt: ENDS }), NOON)).toEqual({ kind: 'newest' })
      await isKnown(key)
    })

    it('the newest version of a key lives no shorter because it refused one that ends sooner', async () => {
      const key = anyFingerprint()
      await at.work.advance(mark(9, { key }), NOON)
      await at.work.advance({ ...STALE, key, expiresAt: ENDS }, NOON)
      await isKnown(key)
    })
  })
}
