import { afterAll, describe, expect, it } from 'vitest'
import { endLocals, startLocal, workplace } from '../support/local-rig.ts'
import { repeatAfterExpiry } from './expiry.ts'
import { hotKey } from './hot-key.ts'
import { load } from './load.ts'

afterAll(endLocals)

/** `npm run prove load -- --deliveries 100000` for more. */
describe('a small load on `npm start`', () => {
  it('a small load balances to the last unit: answers, events stored and done, and lines logged', async () => {
    const local = await startLocal(workplace())
    const mix = { deliveries: 500, events: 300, connections: 20, seed: 1 }
    const shares = { duplicates: 0.15, concurrent: 0.1, forged: 0.1, malformed: 0.05 }
    const { ledger, done, imbalances } = await load(local, { ...mix, ...shares }, local.out)
    expect(imbalances).toEqual([])
    expect(ledger.counts).toMatchObject({ accepted: 300, rejected: 75, unavailable: 0, unknown: 0 })
    expect(ledger.received).toBe(500)
    expect(done).toBe(300)
    const hot = await hotKey(local, 200)
    expect(hot.imbalances).toEqual([])
    local.pressCtrlC()
    expect((await local.finished).code).toBe(0)
  })

  it('an event is taken again only after it was forgotten', async () => {
    expect(await repeatAfterExpiry(workplace(), 5)).toEqual([])
  })
})
