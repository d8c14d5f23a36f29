import { expect, it } from 'vitest'
import { type Millis, millis, seconds } from '../../functions/domain/brands.ts'
import type { KeptDeliveries, KeptDelivery } from '../../functions/domain/kept-delivery.ts'
import { NOON } from '../support/events.ts'

const delivery = (at: Millis, fields: Partial<KeptDelivery> = {}): KeptDelivery => ({
  source: 'stripe',
  key: `${new Date(at).toISOString()}#request-1`,
  at,
  method: 'POST',
  url: 'https://hooks.example.com/webhooks/stripe',
  headers: { 'stripe-signature': ['t=1', 'v1=2'], 'x-empty': [''] },
  body: Uint8Array.of(0xff, 0x00, 0x7b),
  correlationId: 'request-1',
  status: 401,
  outcome: 'rejected',
  reason: 'signature-mismatch',
  id: null,
  eventId: null,
  attempt: 3,
  expiresAt: seconds(NOON / 1000 + 86_400),
  ...fields,
})

/** The law of what quarantine and capture keep. */
export const keptDeliveriesLaw = (open: () => Promise<KeptDeliveries>): void => {
  it('a kept delivery comes back with every byte and header', async () => {
    const kept = await open()
    const small = delivery(NOON)
    const large = delivery(millis(NOON + 1), { body: new Uint8Array(262_144).map((_, index) => (index * 7919) >> 3) })
    for (const each of [small, large]) {
      expect(await kept.keep('quarantine', each)).toEqual({ kind: 'kept' })
      const found = await kept.fetch('quarantine', 'stripe', each.key, NOON)
      expect({ ...found, body: Buffer.from(found?.body ?? []) }).toEqual({ ...each, body: Buffer.from(each.body) })
    }
  })

  it('kept deliveries are listed newest first, by kind and source, from an instant on, up to a limit', async () => {
    const kept = await open()
    for (const ago of [0, 1_000, 2_000, 3_000]) await kept.keep('capture', delivery(millis(NOON - ago)))
    await kept.keep('capture', delivery(NOON, { source: 'stripe-eu' }))
    await kept.keep('quarantine', delivery(millis(NOON - 500)))
    const list = async (from: number, limit: number) =>
      (await kept.list('capture', 'stripe', millis(from), NOON, limit)).map(({ at }) => NOON - at)
    expect(await list(NOON - 2_000, 10)).toEqual([0, 1_000, 2_000])
    expect(await list(0, 2)).toEqual([0, 1_000])
    expect(await kept.fetch('capture', 'stripe', delivery(millis(NOON - 500)).key, NOON)).toBeUndefined()
  })

  it('all kept deliveries are had one after the other, with no more than a page of them in memory', async () => {
    const kept = await open()
    const body = new Uint8Array(200_000).map((_, index) => (index * 7919) >> 3)
    for (const ago of Array.from({ length: 12 }).keys())
      await kept.keep('capture', delivery(millis(NOON - ago), { source: 'each', body }))
    const seen: number[] = []
    for await (const { at } of kept.each('capture', 'each', millis(NOON - 10), NOON)) seen.push(NOON - at)
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('a kept delivery that has expired is gone', async () => {
    const kept = await open()
    const each = delivery(NOON)
    await kept.keep('quarantine', each)
    const end = millis((NOON / 1000 + 86_400) * 1000)
    expect(await kept.fetch('quarantine', 'stripe', each.key, end)).toBeUndefined()
    expect(await kept.list('quarantine', 'stripe', millis(0), end, 10)).toEqual([])
  })
}
