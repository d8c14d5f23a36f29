import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Millis, millis, type Sha256, seconds } from '../../functions/domain/brands.ts'
import type { ErasureStore } from '../../functions/domain/erasure.ts'
import { sha256 } from '../../functions/domain/identity.ts'
import type { BodyStore, KeepHow, KeptBody, Settlement } from '../../functions/domain/ports.ts'
import type { EventRecord, Ownership } from '../../functions/domain/record.ts'
import type { ReplayStore } from '../../functions/domain/replay.ts'
import type { FailureStore } from '../../functions/domain/work.ts'
import { anyFence, anyFingerprint, claimedRecord, NOON } from '../support/events.ts'
import type { EventStore } from '../support/stores.ts'

const LATER = millis(NOON + 60_000)
const ACT = { actor: 'ada', reason: 'ticket 4711', job: null }

const by = (now: Millis = LATER): Ownership => ({ fence: anyFence(), now, leaseUntil: millis(now + 15_000) })

const BODY: Settlement = {
  now: LATER,
  expiresAt: seconds(LATER / 1000 + 40 * 86_400),
  bodySha256: 'b'.repeat(64) as Sha256,
  bodySize: 7,
  bodyAt: 'dynamodb',
}

export interface OpenErasure {
  readonly events: EventStore
  readonly replays: ReplayStore
  readonly erasures: ErasureStore
  readonly work: FailureStore
}

/** The law of erasing: records and audits. */
export const erasureStoreLaw = (open: () => Promise<OpenErasure>): void => {
  let at: OpenErasure
  beforeAll(async () => {
    at = await open()
  })
  const given = async (fields: Partial<EventRecord>): Promise<EventRecord> => {
    const record = claimedRecord(NOON, fields)
    await at.events.claim(record)
    return record
  }
  const stored = (record: EventRecord) => at.events.read(record.fingerprint, LATER)
  const erased = async (fields: Partial<EventRecord> = {}): Promise<EventRecord> => {
    const seen = await given({ status: 'failed', lastError: 'ada@example.com is unknown', ...fields })
    expect(await at.erasures.mark(seen, [], by(), ACT)).toEqual({ kind: 'moved' })
    return (await stored(seen)) as EventRecord
  }

  describe('an erasure', () => {
    it.each(['done', 'failed', 'ignored'] as const)(
      'an erasure takes the errors of an event that is %s, and leaves its identity, its status and an audit',
      async status => {
        const said = { lastError: 'ada@example.com is unknown', ignoredBecause: 'ada is no customer' }
        const seen = await given({ status, generation: 2, bodyAt: 'dynamodb', ...said })
        const { fence, now } = by()
        expect(await at.erasures.mark(seen, [], { fence, now }, ACT)).toEqual({ kind: 'moved' })
        expect(await stored(seen)).toEqual({ ...seen, lastError: null, ignoredBecause: null, fence, erasedAt: LATER })
        expect(await at.replays.audits(seen.fingerprint, [2, 'erased'])).toEqual([
          {
            fingerprint: seen.fingerprint,
            generation: 2,
            act: 'erase',
            was: status,
            ...ACT,
            at: LATER,
            fence,
            before: null,
          },
        ])
        expect(await at.replays.recent(NOON, millis(LATER + 1), 100)).toContainEqual(
          expect.objectContaining({ fingerprint: seen.fingerprint, act: 'erase' }),
        )
      },
    )

    it.each(['claimed', 'queued', 'working'] as const)('an event that is %s is not erased', async status => {
      const seen = await given({ status, lastError: 'x' })
      expect(await at.erasures.mark(seen, [], by(), ACT)).toEqual({ kind: 'superseded' })
      expect(await stored(seen)).toEqual(seen)
      expect(await at.replays.audits(seen.fingerprint, ['erased'])).toEqual([])
    })

    it('an event is erased with all of its copies or not at all', async () => {
      const seen = await given({ status: 'done', to: ['crm', 'worker'] })
      const over = await given({ status: 'failed', lastError: 'x', copyOf: seen.fingerprint })
      const busy = await given({ status: 'working', copyOf: seen.fingerprint })
      expect(await at.erasures.mark(seen, [over, busy], by(), ACT)).toEqual({ kind: 'superseded' })
      expect(await stored(over)).toEqual(over)
      expect(await at.erasures.mark(seen, [over], by(), ACT)).toEqual({ kind: 'moved' })
      expect(await stored(over)).toMatchObject({ lastError: null, erasedAt: LATER })
    })

    it('an event that was replayed since it was seen is not erased, and one that was erased is not replayed', async () => {
      const seen = await given({ status: 'done' })
      await at.replays.begin(seen, by(), ACT, BODY)
      expect(await at.erasures.mark(seen, [], by(), ACT)).toEqual({ kind: 'superseded' })
      const gone = await erased({ status: 'done' })
      expect(await at.replays.begin(gone, by(), ACT, BODY)).toEqual({ kind: 'superseded' })
      expect(await stored(gone)).toEqual(gone)
    })

    it('an event that is over again since it was seen is not erased, and neither is one that is forgotten', async () => {
      const again = await given({ status: 'done', generation: 1 })
      expect(await at.erasures.mark({ ...again, generation: 0 }, [], by(), ACT)).toEqual({ kind: 'superseded' })
      const forgotten = await given({ status: 'done', expiresAt: seconds(LATER / 1000) })
      expect(await at.erasures.mark(forgotten, [], by(), ACT)).toEqual({ kind: 'superseded' })
      expect(await stored(again)).toEqual(again)
    })

    it('an erasure whose answer was lost is done once', async () => {
      const seen = await given({ status: 'done' })
      const owner = by()
      expect(await at.erasures.mark(seen, [], owner, ACT)).toEqual({ kind: 'moved' })
      expect(await at.erasures.mark(seen, [], owner, ACT)).toEqual({ kind: 'moved' })
      expect(await at.erasures.mark(seen, [], by(), { ...ACT, actor: 'bob' })).toEqual({ kind: 'superseded' })
      expect(await at.replays.audits(seen.fingerprint, ['erased'])).toMatchObject([{ actor: 'ada' }])
    })

    it('a repeat of its sender does not reopen what was erased', async () => {
      const gone = await erased()
      expect(await at.events.reopen(gone, by(), BODY)).toEqual({ kind: 'superseded' })
      expect(await at.events.claim(claimedRecord(LATER, { fingerprint: gone.fingerprint }))).toEqual({
        kind: 'lost',
        existing: gone,
      })
    })

    it('a late failure, and a late note of a body, bring nothing back', async () => {
      const gone = await erased()
      const failure = { ...BODY, lastError: 'ada@example.com again' }
      expect((await at.work.fail(gone, by(), failure)).kind).not.toBe('moved')
      expect(await at.events.noteBody(gone, BODY)).toEqual({ kind: 'superseded' })
      expect(await stored(gone)).toEqual(gone)
    })

    it('what an audit says of an earlier generation is forgotten, and the audit stays', async () => {
      const seen = await given({ status: 'failed', lastError: 'ada@example.com is unknown' })
      await at.replays.begin(seen, by(), ACT, BODY)
      const audits = await at.replays.audits(seen.fingerprint, [1])
      expect(audits).toMatchObject([{ before: { says: 'ada@example.com is unknown' } }])
      await at.erasures.forgetSaid(audits)
      expect(await at.replays.audits(seen.fingerprint, [1])).toEqual(
        audits.map(audit => ({ ...audit, before: { ...audit.before, says: null } })),
      )
    })

    it('what is said of a generation is forgotten only in the audit that was seen', async () => {
      const seen = await given({ status: 'failed', lastError: 'ada@example.com is unknown' })
      await at.replays.begin(seen, by(), ACT, BODY)
      const audits = await at.replays.audits(seen.fingerprint, [1])
      await at.erasures.forgetSaid(audits.map(audit => ({ ...audit, fence: anyFence() })))
      expect(await at.replays.audits(seen.fingerprint, [1])).toEqual(audits)
    })
  })
}

/** The law of erasing: bodies. */
export const bodyErasureLaw = (
  open: () => Promise<{ readonly bodies: BodyStore; readonly erasures: ErasureStore }>,
): void => {
  let at: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    at = await open()
  })
  const SOON = seconds(NOON / 1000 + 5 * 86_400)
  const fingerprint = anyFingerprint()
  const bodyOf = (bytes: Uint8Array, of = fingerprint): KeptBody => ({
    fingerprint: of,
    sha256: sha256(bytes),
    bytes,
    eventId: 'evt_1',
    ordering: null,
    headers: { 'x-user': 'ada' },
  })
  const keep = async (body: KeptBody, now = NOON, expiresAt = SOON, how: KeepHow = {}) => {
    const answer = await at.bodies.keep(body, now, expiresAt, how)
    if (answer.kind !== 'kept') throw new Error(answer.cause)
    return { body, place: answer.at }
  }
  const fetched = ({ body, place }: Awaited<ReturnType<typeof keep>>) =>
    at.bodies.fetch(body.fingerprint, body.sha256, place, NOON)

  it('every body of an event is erased, small and large, of every day and retention, and no other', async () => {
    const large = bodyOf(randomBytes(50_000))
    const kept = [
      await keep(bodyOf(Buffer.from('{"n":1}'))),
      await keep(bodyOf(Buffer.from('{"n":2}'))),
      await keep(large),
      await keep(large, millis(NOON - 86_400_000)),
      await keep(large, NOON, seconds(NOON / 1000 + 100 * 86_400)),
    ]
    const other = await keep(bodyOf(Buffer.from('{"n":1}'), anyFingerprint()))
    expect(await at.erasures.forgetBodies({ fingerprint, expiresAt: SOON })).toBe(kept.length)
    for (const each of kept) expect(await fetched(each)).toBeUndefined()
    expect(await at.erasures.forgetBodies({ fingerprint, expiresAt: SOON })).toBe(0)
    expect(await fetched(other)).toBeDefined()
  })

  const erased = async (): Promise<KeptBody> => {
    const { body } = await keep(bodyOf(Buffer.from('{"n":1}'), anyFingerprint()))
    await at.erasures.forgetBodies({ fingerprint: body.fingerprint, expiresAt: SOON })
    return body
  }

  it.each([0, 86_400])(
    'a small body that was erased is not kept a second time, even if it is to last %i seconds longer',
    async longer => {
      expect(
        await fetched(await keep(await erased(), NOON, seconds(SOON + longer), { unclaimed: true })),
      ).toBeUndefined()
    },
  )

  it('a small body that was erased and has ended is kept again: its event was forgotten, and came anew', async () => {
    const { body, place } = await keep(await erased(), millis(SOON * 1000), seconds(SOON + 86_400))
    expect(await at.bodies.fetch(body.fingerprint, body.sha256, place, millis(SOON * 1000))).toEqual(body)
  })

  it.each([10, 50_000])('a body of %i bytes that was just kept can be discarded', async size => {
    const { body, place } = await keep(bodyOf(randomBytes(size), anyFingerprint()))
    expect(await at.bodies.discard(body.fingerprint, body.sha256, place, SOON)).toEqual({ kind: 'discarded' })
    expect(await fetched({ body, place })).toBeUndefined()
  })
}
