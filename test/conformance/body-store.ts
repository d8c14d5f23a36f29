import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { millis, seconds, toSeconds } from '../../functions/domain/brands.ts'
import { sha256 } from '../../functions/domain/identity.ts'
import type { BodyStore, KeptBody } from '../../functions/domain/ports.ts'
import { anyFingerprint, NOON } from '../support/events.ts'

const TOMORROW = seconds(NOON / 1000 + 86_400)

const bodyOf = (bytes: Uint8Array): KeptBody => ({
  fingerprint: anyFingerprint(),
  sha256: sha256(bytes),
  bytes,
  eventId: 'evt_\u{1f600}\n',
  ordering: { key: 'customer-1', version: 7 },
  headers: { 'content-type': 'application/json', 'x-note': 'caf\u00e9' },
})

/**
 * The law of the body store. `conditionalObjects: false` where the engine's S3 does not know If-None-Match: what the adapter asks
 * of S3 is then shown by test/unit/adapters/s3-and-dynamodb-bodies.test.ts alone.
 */
export const bodyStoreLaw = (open: () => Promise<BodyStore>, { conditionalObjects = true } = {}): void => {
  let store: BodyStore
  beforeAll(async () => {
    store = await open()
  })

  const keep = async (body: KeptBody, expiresAt = TOMORROW): Promise<string> => {
    const answer = await store.keep(body, NOON, expiresAt)
    if (answer.kind !== 'kept') throw new Error(answer.cause)
    return answer.at
  }

  const BODIES = {
    'a small JSON body': Buffer.from('{"id":"evt_1"}'),
    'bytes that are no UTF-8 and hold line breaks': Buffer.from([0xff, 0x0a, 0x00, 0xef, 0xbf, 0xbd, 0x0a]),
    'an empty body': Buffer.alloc(0),
    'a large body that compresses well': Buffer.from('{"a":"bcdefgh"}'.repeat(20_000)),
    'the largest body, which does not compress': randomBytes(4_194_304),
  } as const

  describe('bodies', () => {
    it.each(Object.entries(BODIES))('a body comes back byte for byte: %s', async (_name, bytes) => {
      const body = bodyOf(bytes)
      const fetched = await store.fetch(body.fingerprint, body.sha256, await keep(body), NOON)
      expect(fetched && Buffer.from(fetched.bytes).equals(bytes)).toBe(true)
      expect(fetched).toMatchObject({ eventId: body.eventId, headers: body.headers, sha256: body.sha256 })
    })

    it('are refused if they do not match their hash', async () => {
      const body = { ...bodyOf(Buffer.from('{"n":1}')), bytes: Buffer.from('{"n":2}') }
      expect(await store.keep(body, NOON, TOMORROW)).toMatchObject({ kind: 'unavailable' })
      expect(await store.fetch(body.fingerprint, body.sha256, 'dynamodb', NOON)).toBeUndefined()
    })

    it.each([
      [10, 0],
      [100_000, 86_400],
    ])('a body of %i bytes lives as long as asked, and at most %i seconds longer', async (size, longer) => {
      const body = bodyOf(randomBytes(size))
      const at = await keep(body)
      expect(await store.fetch(body.fingerprint, body.sha256, at, millis(TOMORROW * 1000 - 1))).toBeDefined()
      expect(await store.fetch(body.fingerprint, body.sha256, at, millis((TOMORROW + longer) * 1000))).toBeUndefined()
    })

    it.each(conditionalObjects ? [10, 100_000] : [10])(
      'a body that is kept again stays as it was, and never ends sooner (%i bytes)',
      async size => {
        const body = bodyOf(randomBytes(size))
        const at = await keep(body)
        await store.keep({ ...body, headers: { 'x-note': 'forged' } }, NOON, seconds(TOMORROW - 3_600), {
          unclaimed: true,
        })
        const fetched = await store.fetch(body.fingerprint, body.sha256, at, millis(TOMORROW * 1000 - 1))
        expect(fetched?.headers).toEqual(body.headers)
      },
    )

    it.each([10, 100_000])('a body can be kept for longer later on (%i bytes)', async size => {
      const body = bodyOf(randomBytes(size))
      await keep(body)
      const at = await keep(body, seconds(TOMORROW + 10 * 86_400))
      expect(await store.fetch(body.fingerprint, body.sha256, at, millis((TOMORROW + 9 * 86_400) * 1000))).toBeDefined()
    })

    it('two bodies of one event live side by side, and are not found under another event', async () => {
      const first = bodyOf(Buffer.from('{"attempt":1}'))
      const second = { ...bodyOf(Buffer.from('{"attempt":2}')), fingerprint: first.fingerprint }
      const at = await keep(first)
      await keep(second)
      for (const body of [first, second]) {
        const fetched = await store.fetch(first.fingerprint, body.sha256, at, NOON)
        expect(Buffer.from(fetched?.bytes ?? []).toString()).toBe(Buffer.from(body.bytes).toString())
      }
      expect(await store.fetch(anyFingerprint(), first.sha256, at, NOON)).toBeUndefined()
    })

    it.each([10, 100_000])(
      'a body that was taken away is kept again once its event is forgotten, on the same day, too (%i bytes)',
      async size => {
        const body = bodyOf(randomBytes(size))
        const forgottenAt = seconds(toSeconds(NOON) + 60)
        await store.discard(body.fingerprint, body.sha256, await keep(body), forgottenAt)
        const later = millis(NOON + 120_000)
        const again = await store.keep(body, later, TOMORROW)
        const fetched = again.kind === 'kept' && (await store.fetch(body.fingerprint, body.sha256, again.at, later))
        expect(fetched && Buffer.from(fetched.bytes).equals(body.bytes)).toBe(true)
      },
    )

    it.each(conditionalObjects ? [10, 100_000] : [10])(
      'a body that was taken away is not kept again before its event is claimed, and its keeper is told so (%i bytes)',
      async size => {
        const body = bodyOf(randomBytes(size))
        const at = await keep(body)
        await store.discard(body.fingerprint, body.sha256, at, TOMORROW)
        const later = millis(NOON + 1)
        const unclaimed = { kind: 'kept', at, mayBeBlank: true }
        expect(await store.keep(body, later, TOMORROW, { unclaimed: true })).toEqual(unclaimed)
        expect(await store.fetch(body.fingerprint, body.sha256, at, later)).toBeUndefined()
      },
    )

    it.each([10, 100_000])(
      'a body that was taken away is kept again by the owner of its event, whatever is left of it (%i bytes)',
      async size => {
        const body = bodyOf(randomBytes(size))
        await store.discard(body.fingerprint, body.sha256, await keep(body), TOMORROW)
        const fetched = await store.fetch(body.fingerprint, body.sha256, await keep(body), NOON)
        expect(fetched && Buffer.from(fetched.bytes).equals(body.bytes)).toBe(true)
      },
    )

    it.each([1, 6.5, 18, 400])('a body can be kept for %d days', async days => {
      const body = bodyOf(randomBytes(20_000))
      const at = await keep(body, seconds(toSeconds(NOON) + days * 86_400))
      expect(await store.fetch(body.fingerprint, body.sha256, at, NOON)).toBeDefined()
    })
  })
}
