import { expect, it } from 'vitest'
import { type Millis, millis, seconds } from '../../functions/domain/brands.ts'
import type { DeliveryShelf, KeptDelivery } from '../../functions/domain/kept-delivery.ts'
import { NOON } from '../support/events.ts'

const kept = (at: Millis, fields: Partial<KeptDelivery> = {}): KeptDelivery => ({
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

/** The law of the shelf that quarantine and capture keep deliveries on. */
export const deliveryShelfLaw = (open: () => Promise<DeliveryShelf>): void => {
  it('gives back every byte and header of what it keeps', async () => {
    const shelf = await open()
    const small = kept(NOON)
    const large = kept(millis(NOON + 1), { body: new Uint8Array(262_144).map((_, index) => (index * 7919) >> 3) })
    for (const each of [small, large]) {
      expect(await shelf.keep('quarantine', each)).toEqual({ kind: 'kept' })
      const found = await shelf.fetch('quarantine', 'stripe', each.key, NOON)
      expect({ ...found, body: Buffer.from(found?.body ?? []) }).toEqual({ ...each, body: Buffer.from(each.body) })
    }
  })

  it('lists newest first, of one shelf and one source, from an instant on, as many as wanted', async () => {
    const shelf = await open()
    for (const ago of [0, 1_000, 2_000, 3_000]) await shelf.keep('capture', kept(millis(NOON - ago)))
    await shelf.keep('capture', kept(NOON, { source: 'stripe-eu' }))
    await shelf.keep('quarantine', kept(millis(NOON - 500)))
    const list = async (from: number, limit: number) =>
      (await shelf.list('capture', 'stripe', millis(from), NOON, limit)).map(({ at }) => NOON - at)
    expect(await list(NOON - 2_000, 10)).toEqual([0, 1_000, 2_000])
    expect(await list(0, 2)).toEqual([0, 1_000])
    expect(await shelf.fetch('capture', 'stripe', kept(millis(NOON - 500)).key, NOON)).toBeUndefined()
  })

  it('forgets what has expired', async () => {
    const shelf = await open()
    const each = kept(NOON)
    await shelf.keep('quarantine', each)
    const end = millis((NOON / 1000 + 86_400) * 1000)
    expect(await shelf.fetch('quarantine', 'stripe', each.key, end)).toBeUndefined()
    expect(await shelf.list('quarantine', 'stripe', millis(0), end, 10)).toEqual([])
  })
}
