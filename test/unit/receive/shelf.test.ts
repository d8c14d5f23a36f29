import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { memorySecrets } from '../../../functions/adapters/memory-secrets.ts'
import { memoryShelf } from '../../../functions/adapters/memory-shelf.ts'
import { type Millis, millis } from '../../../functions/domain/brands.ts'
import { withCapture } from '../../../functions/domain/secret-list.ts'
import { boundedShelf } from '../../../functions/receive/bounded-shelf.ts'
import { NOON } from '../../support/events.ts'
import { receiveRig, STRIPE_SECRET } from '../../support/receive-rig.ts'
import { isDown, lastLine } from './rig.ts'

const invoice = { id: 'evt_1', type: 'invoice.paid' }
const UNTIL = millis(NOON + 60_000)

const capturing = (answer: number | null, until: Millis = UNTIL) => {
  const shelf = memoryShelf()
  const secrets = memorySecrets({ stripe: [...withCapture([STRIPE_SECRET], { until, answer })] }, 'key')
  const at = receiveRig({ world: { secrets, shelf } })
  return { at, kept: () => shelf.list('capture', 'stripe', NOON, at.world.now(), 100) }
}

describe('capturing', () => {
  it.each([
    [59_999, 1],
    [60_000, 0],
  ])('after %i of its 60,000 ms keeps %i', async (later, count) => {
    const { at, kept } = capturing(null)
    at.advance(later)
    expect((await at.stripe(invoice)).status).toBe(202)
    expect(await kept()).toHaveLength(count)
  })

  it('without a shelf changes nothing of the answer', async () => {
    const secrets = memorySecrets({ stripe: [...withCapture([STRIPE_SECRET], { until: UNTIL, answer: null })] }, 'key')
    expect((await receiveRig({ world: { secrets } }).stripe(invoice)).status).toBe(202)
  })

  it('is nothing that a secret store has to know', async () => {
    const { capturing: _, ...secrets } = memorySecrets({ stripe: [STRIPE_SECRET] }, 'key')
    expect((await receiveRig({ world: { secrets } }).stripe(invoice)).status).toBe(202)
  })
})

describe('a drill', () => {
  it.each([
    [59_999, 500],
    [60_000, 202],
  ])('after %i of its 60,000 ms answers %i', async (later, status) => {
    const { at } = capturing(500)
    at.advance(later)
    expect((await at.stripe(invoice)).status).toBe(status)
  })

  it.each([
    ['with many events', JSON.stringify({ events: [{ id: 'EV1' }] })],
    ['that names no event', JSON.stringify({ id: {} })],
  ])('turns away a delivery %s too, and takes nothing', async (_name, body) => {
    const secret = 'drilled-0123456789'
    const secrets = memorySecrets({ acme: [...withCapture([secret], { until: UNTIL, answer: 500 })] }, 'key')
    const at = receiveRig({ sources: { acme: { provider: 'gocardless' } }, world: { secrets } })
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const answer = await at.post({ source: 'acme', body, headers: { 'webhook-signature': signature } })
    expect([answer.status, answer.body.type]).toEqual([500, 'drill'])
    expect(lastLine(at)).toMatchObject({ outcome: 'drill', Drill: 1 })
    expect(at.calls).toEqual({})
  })
})

describe('quarantine', () => {
  const sources = { stripe: { provider: 'stripe', quarantine: true } }

  it('keeps nothing of an outage of our own', async () => {
    const shelf = memoryShelf()
    const secrets = { ...memorySecrets({}, 'key'), signingSecrets: isDown }
    const at = receiveRig({ sources, world: { secrets, shelf } })
    expect((await at.stripe(invoice)).status).toBe(503)
    expect(await shelf.list('quarantine', 'stripe', NOON, NOON, 100)).toEqual([])
  })

  it('without a shelf is still a 401', async () => {
    expect((await receiveRig({ sources }).stripe(invoice, { secret: 'whsec_other_0123456789abcdef' })).status).toBe(401)
  })

  it.each([
    [262_144, 1],
    [262_145, 0],
  ])('of a body of %i bytes keeps %i', async (bytes, count) => {
    const shelf = memoryShelf()
    const at = receiveRig({ sources, world: { shelf: boundedShelf(shelf, () => NOON) } })
    expect((await at.post({ body: 'x'.repeat(bytes) })).status).toBe(401)
    expect(await shelf.list('quarantine', 'stripe', NOON, NOON, 100)).toHaveLength(count)
  })
})
