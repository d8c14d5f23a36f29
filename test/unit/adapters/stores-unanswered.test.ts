import { describe, expect, it } from 'vitest'
import type { Transacted } from '../../../functions/adapters/wire/dynamo-calls.ts'
import { type Fingerprint, millis, type Sha256, seconds } from '../../../functions/domain/brands.ts'
import type { Job } from '../../../functions/domain/job.ts'
import type { Settlement } from '../../../functions/domain/ports.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import type { Audit } from '../../../functions/domain/replay.ts'
import { anyFence, anyFingerprint, claimedRecord, NOON } from '../../support/events.ts'
import { lost, madeAndLost, watchedAws } from '../../support/watched-aws.ts'

const LATER = millis(NOON + 60_000)
const ACT = { actor: 'ada', reason: 'handler fixed', job: null }
const BODY: Settlement = {
  now: LATER,
  expiresAt: seconds(LATER / 1000 + 40 * 86_400),
  bodySha256: 'b'.repeat(64) as Sha256,
  bodySize: 7,
  bodyAt: 'dynamodb',
}
const by = () => ({ fence: anyFence(), now: LATER, leaseUntil: millis(LATER + 15_000) })
const UNAVAILABLE = { kind: 'unavailable', cause: expect.stringContaining('no answer') }

const cancelled = (...codes: readonly string[]) => {
  const answer: Transacted = {
    kind: 'cancelled',
    reasons: codes.map(code => ({ code, item: undefined })),
    error: new Error('no answer to that'),
  }
  return () => async () => answer
}

const given = async ({ stores }: ReturnType<typeof watchedAws>, fields: Partial<EventRecord> = {}) => {
  const record = claimedRecord(NOON, fields)
  await stores.events.claim(record)
  return record
}

describe('a replay without an answer', () => {
  it('a replay that was begun though its answer was lost has begun', async () => {
    const at = watchedAws()
    const seen = await given(at, { status: 'failed' })
    const { replays } = at.storesWith({ transactWriteItems: madeAndLost })
    const answer = await replays.begin(seen, by(), ACT, BODY)
    expect(answer).toMatchObject({ kind: 'begun', record: { status: 'claimed', generation: 1 } })
    expect(await at.stores.events.read(seen.fingerprint, LATER)).toEqual('record' in answer && answer.record)
  })

  it('a replay that never arrived is unavailable', async () => {
    const at = watchedAws()
    const seen = await given(at, { status: 'failed' })
    const { replays } = at.storesWith({ transactWriteItems: lost })
    expect(await replays.begin(seen, by(), ACT, BODY)).toEqual(UNAVAILABLE)
  })

  it('a replay of which nobody can see whether it was begun is unavailable', async () => {
    const at = watchedAws()
    const seen = await given(at, { status: 'failed' })
    const { replays } = at.storesWith({ transactWriteItems: madeAndLost, batchGetItem: lost })
    expect(await replays.begin(seen, by(), ACT, BODY)).toEqual(UNAVAILABLE)
  })

  it('a replay that somebody else began is not ours', async () => {
    const at = watchedAws()
    const seen = await given(at, { status: 'failed' })
    await at.stores.replays.begin(seen, by(), ACT, BODY)
    expect(await at.stores.replays.begin(seen, by(), ACT, BODY)).toEqual({ kind: 'superseded' })
  })

  it.each([
    [['TransactionConflict', 'None'], { kind: 'contended' }],
    [['None', 'TransactionConflict'], { kind: 'contended' }],
    [['ConditionalCheckFailed', 'TransactionConflict'], { kind: 'superseded' }],
    [['ThrottlingError', 'None'], { kind: 'unavailable', cause: expect.any(String) }],
  ])('a replay and an erasure that DynamoDB cancels because of %j are answered so', async (codes, answer) => {
    const at = watchedAws()
    const seen = await given(at, { status: 'failed' })
    const { replays, erasures } = at.storesWith({ transactWriteItems: cancelled(...codes) })
    expect(await replays.begin(seen, by(), ACT, BODY)).toEqual(answer)
    expect(await erasures.mark(seen, [], by(), ACT)).toEqual(answer)
  })

  it('a replay that is begun asks for no audit', async () => {
    const at = watchedAws()
    const seen = await given(at, { status: 'failed' })
    await at.stores.replays.begin(seen, by(), ACT, BODY)
    expect(at.counted('batchGetItem')).toBe(0)
  })
})

describe('an erasure without an answer', () => {
  it('an erasure that was made though its answer was lost is made', async () => {
    const at = watchedAws()
    const seen = await given(at, { status: 'failed', lastError: 'ada is unknown' })
    const { erasures } = at.storesWith({ transactWriteItems: madeAndLost })
    expect(await erasures.mark(seen, [], by(), ACT)).toEqual({ kind: 'moved' })
    expect(await at.stores.events.read(seen.fingerprint, LATER)).toMatchObject({ lastError: null, erasedAt: LATER })
  })

  it('an erasure that never arrived, or of which nobody can see whether it was made, is unavailable', async () => {
    const at = watchedAws()
    const seen = await given(at, { status: 'failed' })
    expect(await at.storesWith({ transactWriteItems: lost }).erasures.mark(seen, [], by(), ACT)).toEqual(UNAVAILABLE)
    const blind = at.storesWith({ transactWriteItems: madeAndLost, batchGetItem: lost })
    expect(await blind.erasures.mark(seen, [], by(), ACT)).toEqual(UNAVAILABLE)
  })

  it('an erasure that is made asks for no audit', async () => {
    const at = watchedAws()
    const seen = await given(at, { status: 'failed' })
    await at.stores.erasures.mark(seen, [], by(), ACT)
    expect(at.counted('batchGetItem')).toBe(0)
  })
})

describe('writes without an answer', () => {
  const audit = (fields: Partial<Audit> = {}): Audit => ({
    fingerprint: anyFingerprint(),
    generation: 1,
    act: 'replay',
    was: null,
    ...ACT,
    at: NOON,
    fence: anyFence(),
    before: null,
    ...fields,
  })

  it('a note of an act without an answer is unavailable', async () => {
    const at = watchedAws()
    expect(await at.storesWith({ putItem: madeAndLost }).replays.note(audit(), NOON)).toEqual(UNAVAILABLE)
  })

  it('an audit leaves out what it does not know, and brings back all that it knows', async () => {
    const at = watchedAws()
    const plain = audit()
    const full = audit({
      was: 'failed',
      job: 'job-1',
      before: { claimedAt: NOON, updatedAt: LATER, says: 'it threw' },
    })
    for (const each of [plain, full]) {
      await at.stores.replays.note(each, NOON)
      expect(await at.stores.replays.audits(each.fingerprint, [1])).toEqual([each])
    }
    const [stored] = at.memory.items(at.names.eventsTable).filter(({ of }) => of === plain.fingerprint)
    for (const absent of ['job', 'was', 'before']) expect(stored).not.toHaveProperty(absent)
  })

  it('audits of an event come in the order of its generations, and of one generation in that of time', async () => {
    const at = watchedAws()
    const fingerprint = anyFingerprint()
    const second = audit({ fingerprint, generation: 2, at: millis(NOON + 1) })
    const erased = audit({ fingerprint, generation: 1, act: 'erase', at: millis(NOON + 9) })
    const first = audit({ fingerprint, generation: 1, at: millis(NOON + 5) })
    for (const each of [second, erased, first]) await at.stores.replays.note(each, NOON)
    expect(await at.stores.replays.audits(fingerprint, [2, 'erased', 1])).toEqual([first, erased, second])
  })

  it('a job whose progress has no answer is neither saved nor ended', async () => {
    const at = watchedAws()
    const job: Job = {
      ...{ id: 'j', state: 'running' as const, source: null, status: null, type: null, from: NOON, until: NOON },
      ...{ reason: 'r', actor: 'ada', rate: 1, expected: 1, startedAt: NOON, updatedAt: NOON, cursor: null },
      ...{ replayed: 0, refused: {} },
    }
    await at.stores.jobs.create(job)
    expect(await at.storesWith({ putItem: lost }).jobs.save(job)).toEqual(UNAVAILABLE)
  })

  it('a delivery that nobody knows to be kept is unavailable', async () => {
    const at = watchedAws()
    const { deliveries } = at.storesWith({ updateItem: lost })
    const kept = {
      ...{ source: 'stripe', key: 'k', at: NOON, method: 'POST', url: 'https://a.example', headers: {} },
      ...({ body: Uint8Array.of(1), correlationId: 'r', status: 401, outcome: 'rejected', reason: null } as const),
      ...{ id: null, eventId: null, attempt: null, expiresAt: seconds(NOON / 1000 + 60) },
    }
    expect(await deliveries.keep('quarantine', kept)).toEqual(UNAVAILABLE)
  })
})

describe('the work of a consumer without an answer', () => {
  const taken = async (at: ReturnType<typeof watchedAws>) => {
    const implied = claimedRecord(NOON, { status: 'working', fence: anyFence(), leaseUntil: millis(NOON + 30_000) })
    expect((await at.stores.work.take(implied, NOON)).kind).toBe('taken')
    at.asked.length = 0
    return implied
  }

  it('an end and a commit without an answer are unavailable', async () => {
    const at = watchedAws()
    const record = await taken(at)
    const { work } = at.storesWith({ updateItem: lost, transactWriteItems: lost })
    expect(await work.finish(record, NOON)).toEqual(UNAVAILABLE)
    expect(await work.ignore(record, NOON, 'because')).toEqual(UNAVAILABLE)
    expect(await work.commit(record, [], anyFence(), NOON)).toEqual(UNAVAILABLE)
  })

  it('an event that its own consumer has finished is over for the same consumer, and not taken again', async () => {
    const at = watchedAws()
    const record = await taken(at)
    await at.stores.work.finish(record, NOON)
    expect(await at.stores.work.take(record, NOON)).toEqual({ kind: 'over', status: 'done' })
  })

  it('a take that finds a record is one call, whatever it finds', async () => {
    const at = watchedAws()
    const record = await taken(at)
    await at.stores.work.take({ ...record, fence: anyFence() }, NOON)
    expect(at.counted('putItem')).toBe(0)
    await at.stores.work.finish(record, NOON)
    await at.stores.work.take({ ...record, fence: anyFence() }, NOON)
    expect(at.counted('putItem')).toBe(0)
  })

  it.each([
    ['is being worked on', { leaseUntil: millis(NOON + 5) }, { kind: 'busy', leaseUntil: millis(NOON + 5) }],
    ['is done', { status: 'done' as const }, { kind: 'over', status: 'done' }],
    ['is of a later generation', { generation: 3 }, { kind: 'superseded' }],
  ])('a record that appears between the two calls of a take, and %s, is left as it is', async (_, fields, answer) => {
    const at = watchedAws()
    const implied = claimedRecord(NOON, { status: 'working' })
    const appeared = { ...implied, fence: anyFence(), ...fields }
    const { work } = at.storesWith({
      putItem: real => async put => {
        await at.stores.events.claim(appeared)
        return real(put)
      },
    })
    expect(await work.take(implied, NOON)).toEqual(answer)
    expect(await at.stores.events.read(implied.fingerprint, NOON)).toEqual(appeared)
  })

  it('a record that is refused twice and shows nobody has to come back at once', async () => {
    const at = watchedAws()
    const nobody = () => async () => ({ kind: 'condition-failed', item: undefined }) as const
    const { work } = at.storesWith({ updateItem: nobody, putItem: nobody })
    expect(await work.take(claimedRecord(NOON, { status: 'working' }), NOON)).toEqual({
      kind: 'busy',
      leaseUntil: NOON,
    })
  })

  it('a record that was made by a take whose answer was lost is taken by its repeat', async () => {
    const at = watchedAws()
    const implied = claimedRecord(NOON, { status: 'working' })
    await at.stores.events.claim(implied)
    const unseen = () => async () => ({ kind: 'condition-failed', item: undefined }) as const
    const { work } = at.storesWith({ updateItem: unseen })
    expect(await work.take(implied, NOON)).toEqual({ kind: 'taken', record: implied })
  })

  it('a record that came into being when the message was over belongs to another life of its event', async () => {
    const at = watchedAws()
    const implied = claimedRecord(NOON, { status: 'working', expiresAt: seconds(NOON / 1000 + 60) })
    for (const [since, answer] of [
      [60_000, { kind: 'superseded' }],
      [59_999, { kind: 'busy', leaseUntil: millis(NOON + 90_000) }],
    ] as const) {
      const fingerprint = anyFingerprint()
      const firstSeenAt = millis(NOON + since)
      const expiresAt = seconds(NOON / 1000 + 9_000)
      const lives = {
        ...implied,
        fingerprint,
        fence: anyFence(),
        firstSeenAt,
        expiresAt,
        leaseUntil: millis(NOON + 90_000),
      }
      await at.stores.events.claim(lives)
      expect(await at.stores.work.take({ ...implied, fingerprint }, millis(NOON + 61_000))).toEqual(answer)
    }
  })

  it.each([
    [['ValidationError', 'None'], { kind: 'refused', index: 0, code: 'ValidationError' }],
    [
      ['None', 'ItemCollectionSizeLimitExceeded'],
      { kind: 'refused', index: 1, code: 'ItemCollectionSizeLimitExceeded' },
    ],
    [['ThrottlingError', 'None'], { kind: 'unavailable', cause: expect.any(String) }],
    [[], { kind: 'unavailable', cause: expect.any(String) }],
  ])('a commit that is cancelled because of %j is answered so', async (codes, answer) => {
    const at = watchedAws()
    const record = await taken(at)
    const { work } = at.storesWith({ transactWriteItems: cancelled(...codes) })
    const write = { Put: { TableName: 'effects', Item: { key: 'a' } } }
    expect(await work.commit(record, [write], anyFence(), NOON)).toEqual(answer)
  })

  it('a commit whose record is gone has to come back', async () => {
    const at = watchedAws()
    const { work } = at.storesWith({ transactWriteItems: cancelled('ConditionalCheckFailed') })
    const answer = await work.commit(claimedRecord(NOON), [], anyFence(), NOON)
    expect(answer).toEqual({ kind: 'busy', leaseUntil: NOON })
  })
})

describe('a claim of an Idempotency-Key', () => {
  const claim = (fields = {}) => ({
    fingerprint: anyFingerprint(),
    payload: 'p'.repeat(64) as Sha256,
    fence: anyFence(),
    now: NOON,
    leaseUntil: millis(NOON + 10_000),
    expiresAt: seconds(NOON / 1000 + 600),
    ...fields,
  })
  /** As an engine that does not say what stood in the way. */
  const silent = { putItem: () => async () => ({ kind: 'condition-failed', item: undefined }) as const }

  it('a claim that is lost to somebody whom DynamoDB does not name looks who it was', async () => {
    const at = watchedAws()
    const first = claim()
    await at.stores.answers.claim(first)
    const { answers } = at.storesWith(silent)
    const again = { ...first, fence: anyFence() }
    expect(await answers.claim(again)).toEqual({ kind: 'running', leaseUntil: first.leaseUntil })
    expect(await answers.claim({ ...again, payload: 'q'.repeat(64) as Sha256 })).toEqual({ kind: 'mismatch' })
    const answer = { status: 200, headers: {}, base64: false, body: { text: 'ok' } }
    await at.stores.answers.complete(first, answer, first.expiresAt)
    expect(await answers.claim(again)).toEqual({ kind: 'finished', answer, expiresAt: first.expiresAt })
  })

  it('a claim that is lost to somebody who is gone by now has to come back', async () => {
    const { answers } = watchedAws().storesWith(silent)
    expect(await answers.claim(claim())).toEqual({ kind: 'running', leaseUntil: NOON })
  })
})

describe('a claim of an event', () => {
  it('a repeat with the same guard writes nothing, and one with another guard writes that', async () => {
    const at = watchedAws()
    const first = await given(at, { guard: anyFingerprint() })
    at.asked.length = 0
    expect(await at.stores.events.claim({ ...first, fence: anyFence() })).toEqual({ kind: 'lost', existing: first })
    expect(at.counted('putItem')).toBe(0)
    const other = { ...first, fence: anyFence(), guard: anyFingerprint() }
    expect(await at.stores.events.claim(other)).toEqual({ kind: 'lost', existing: first })
    expect(at.counted('putItem')).toBe(1)
  })

  it('an exclusive repeat with a guard of its own is lost, and one whose guard another event got meanwhile is taken', async () => {
    const at = watchedAws()
    const first = await given(at)
    const guard = anyFingerprint()
    const repeat = { ...first, fence: anyFence(), guard }
    expect(await at.stores.events.claim(repeat, true)).toEqual({ kind: 'lost', existing: first })
    const contested = { ...repeat, fence: anyFence(), guard: anyFingerprint() }
    const { events } = at.storesWith({
      putItem: real => async put => {
        await at.stores.events.claim(claimedRecord(NOON, { guard: contested.guard }))
        return real(put)
      },
    })
    expect(await events.claim(contested, true)).toEqual({ kind: 'taken' })
    const another = { ...contested, fence: anyFence() }
    expect((await at.stores.events.claim(another)).kind).toBe('lost')
  })

  it('the guard of a first claim is as long as its record: settling writes the record alone', async () => {
    const at = watchedAws()
    const first = await given(at, { guard: anyFingerprint() })
    at.asked.length = 0
    expect(await at.stores.events.settle(first, BODY)).toEqual({ kind: 'moved' })
    expect(at.counted('putItem')).toBe(0)
  })

  it('the guard of a claim that was taken over is extended when it is settled', async () => {
    const at = watchedAws()
    const guard = anyFingerprint()
    const first = await given(at, { guard, expiresAt: seconds(NOON / 1000 + 3_600) })
    const now = millis(first.leaseUntil)
    const owned = await at.stores.events.takeOver(first, { fence: anyFence(), now, leaseUntil: millis(now + 15_000) })
    await at.stores.events.settle('record' in owned ? owned.record : first, { ...BODY, now })
    const stored = at.memory.items(at.names.eventsTable).find(({ fingerprint }) => fingerprint === guard)
    expect(stored).toMatchObject({ guards: first.fingerprint as Fingerprint, expiresAt: BODY.expiresAt })
  })
})
