import { beforeAll, describe, expect, it } from 'vitest'
import type { AnswerClaim, AnswerStore, KeptAnswer } from '../../functions/domain/answers.ts'
import { type Millis, millis, type Sha256, seconds } from '../../functions/domain/brands.ts'
import { anyFence, anyFingerprint, NOON } from '../support/events.ts'

const PAID = 'a'.repeat(64) as Sha256
const REFUNDED = 'b'.repeat(64) as Sha256
const DAY = 86_400

const at = (now: Millis, fields: Partial<AnswerClaim> = {}): AnswerClaim => ({
  fingerprint: anyFingerprint(),
  payload: PAID,
  fence: anyFence(),
  now,
  leaseUntil: millis(now + 15_000),
  expiresAt: seconds(now / 1000 + DAY),
  ...fields,
})

const CREATED: KeptAnswer = {
  status: 201,
  headers: { 'content-type': 'application/json', location: '/orders/1' },
  base64: false,
  body: { text: '{"id":1}' },
}

/** A second request with the same key: another fence, whatever else is told. */
const again = (first: AnswerClaim, now: Millis, fields: Partial<AnswerClaim> = {}): AnswerClaim =>
  at(now, { fingerprint: first.fingerprint, ...fields })

/** The law of the answer store: memory and DynamoDB both keep it. */
export const answerStoreLaw = (open: () => Promise<AnswerStore>): void => {
  let store: AnswerStore
  beforeAll(async () => {
    store = await open()
  })

  const won = async (fields: Partial<AnswerClaim> = {}): Promise<AnswerClaim> => {
    const claim = at(NOON, fields)
    expect(await store.claim(claim)).toEqual({ kind: 'won', tookOver: false })
    return claim
  }
  const until = (claim: AnswerClaim) => seconds(claim.expiresAt + DAY)

  describe('claiming a key', () => {
    it('a key is won once, and is running for everybody else until the lease has passed', async () => {
      const first = await won()
      const running = { kind: 'running', leaseUntil: first.leaseUntil }
      expect(await store.claim(again(first, NOON))).toEqual(running)
      expect(await store.claim(again(first, millis(first.leaseUntil - 1)))).toEqual(running)
    })

    it('a key is won again by the same fence if its first answer was lost', async () => {
      const first = await won()
      expect(await store.claim(first)).toMatchObject({ kind: 'won' })
    })

    it('a takeover of a key whose answer was lost is still a takeover: somebody may have acted', async () => {
      const first = await won()
      const second = again(first, first.leaseUntil)
      await store.claim(second)
      expect(await store.claim(second)).toEqual({ kind: 'won', tookOver: true })
    })

    it('twenty claims of a key at the same instant have one winner', async () => {
      const first = at(NOON)
      const answers = await Promise.all(Array.from({ length: 20 }, () => store.claim(again(first, NOON))))
      expect(answers.filter(({ kind }) => kind === 'won')).toHaveLength(1)
      expect(answers.filter(({ kind }) => kind === 'running')).toHaveLength(19)
    })

    it('a claim of a key after the lease takes it over, and says so', async () => {
      const first = await won()
      const second = again(first, first.leaseUntil)
      expect(await store.claim(second)).toEqual({ kind: 'won', tookOver: true })
      expect(await store.claim(again(first, first.leaseUntil))).toEqual({
        kind: 'running',
        leaseUntil: second.leaseUntil,
      })
    })

    it.each([
      ['running', async () => won()],
      ['abandoned', async () => won({ leaseUntil: NOON })],
      [
        'finished',
        async () => {
          const claim = await won()
          await store.complete(claim, CREATED, until(claim))
          return claim
        },
      ],
    ])(
      'a key with another payload is a mismatch while the first request is %s, and changes nothing',
      async (_, prepare) => {
        const first = await prepare()
        const before = await store.claim(again(first, NOON, { leaseUntil: NOON }))
        expect(await store.claim(again(first, NOON, { payload: REFUNDED }))).toEqual({ kind: 'mismatch' })
        const after = await store.claim(again(first, NOON, { leaseUntil: NOON }))
        expect(after).toEqual(before)
      },
    )

    it('an expired key is absent, whether it was running or finished, and whatever the payload', async () => {
      const later = millis(NOON + 1_000 * DAY)
      const running = await won({ leaseUntil: millis(NOON + 9_000 * DAY) })
      expect(await store.claim(again(running, later, { payload: REFUNDED }))).toEqual({ kind: 'won', tookOver: false })
      const finished = await won()
      await store.complete(finished, CREATED, finished.expiresAt)
      expect(await store.claim(again(finished, later))).toEqual({ kind: 'won', tookOver: false })
    })
  })

  describe('completing', () => {
    it('a completed key gives its answer to every later request, with the time until which it is kept', async () => {
      const first = await won()
      expect(await store.complete(first, CREATED, until(first))).toEqual({ kind: 'moved' })
      const finished = { kind: 'finished', answer: CREATED, expiresAt: until(first) }
      expect(await store.claim(again(first, NOON))).toEqual(finished)
      expect(await store.claim(again(first, millis(first.leaseUntil + 1)))).toEqual(finished)
    })

    it.each<KeptAnswer>([
      { status: 204, headers: {}, base64: false, body: { text: '' } },
      { status: 200, headers: {}, base64: true, body: { at: 's3:7d:2026-11-15', sha256: PAID } },
      { status: 200, headers: {}, base64: false, body: 'gone' },
    ])('a completed key keeps the answer %o', async answer => {
      const first = await won()
      await store.complete(first, answer, until(first))
      expect(await store.claim(again(first, NOON))).toMatchObject({ kind: 'finished', answer })
    })

    it('an owner that completes its key again gets the same answer', async () => {
      const first = await won()
      await store.complete(first, CREATED, until(first))
      expect(await store.complete(first, CREATED, until(first))).toEqual({ kind: 'moved' })
    })

    it('an owner that outlived its lease cannot complete the key, and its successor and the answer stay as they are', async () => {
      const first = await won()
      const second = again(first, first.leaseUntil)
      await store.claim(second)
      expect(await store.complete(first, CREATED, until(first))).toEqual({ kind: 'superseded' })
      expect(await store.claim(again(first, first.leaseUntil))).toEqual({
        kind: 'running',
        leaseUntil: second.leaseUntil,
      })
      const theirs = { ...CREATED, status: 409 }
      await store.complete(second, theirs, until(second))
      expect(await store.complete(first, CREATED, until(first))).toEqual({ kind: 'superseded' })
      expect(await store.claim(again(first, first.leaseUntil))).toMatchObject({ kind: 'finished', answer: theirs })
    })

    it('a completed key is not undone by its own claim that arrives late', async () => {
      const first = await won()
      await store.complete(first, CREATED, until(first))
      expect(await store.claim(first)).toMatchObject({ kind: 'finished', answer: CREATED })
    })

    it('a key that nobody claimed cannot be completed', async () => {
      const nobody = at(NOON)
      expect(await store.complete(nobody, CREATED, until(nobody))).toEqual({ kind: 'superseded' })
      expect(await store.claim(nobody)).toEqual({ kind: 'won', tookOver: false })
    })
  })

  describe('releasing', () => {
    it('a released key lets the next request with the same payload run at once, and no other', async () => {
      const first = await won()
      expect(await store.release(first, NOON)).toEqual({ kind: 'moved' })
      expect(await store.claim(again(first, NOON, { payload: REFUNDED }))).toEqual({ kind: 'mismatch' })
      expect(await store.claim(again(first, NOON))).toEqual({ kind: 'won', tookOver: true })
    })

    it('an owner that was taken over, or has finished, cannot release the key', async () => {
      const first = await won()
      const second = again(first, first.leaseUntil)
      await store.claim(second)
      expect(await store.release(first, first.leaseUntil)).toEqual({ kind: 'superseded' })
      await store.complete(second, CREATED, until(second))
      expect(await store.release(second, first.leaseUntil)).toEqual({ kind: 'superseded' })
      expect(await store.claim(again(first, first.leaseUntil))).toMatchObject({ kind: 'finished' })
    })
  })
}
