import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import type { KeptFor } from '../../../functions/domain/kept-delivery.ts'
import { withCapture } from '../../../functions/domain/secret-list.ts'
import { NOON } from '../../support/events.ts'
import { problemType } from '../../support/problem-type.ts'
import { type ReceiveRig, type RigWorld, receiveRig, STRIPE_SECRET } from '../../support/receive-rig.ts'
import { isDown, lastLine } from '../accept/rig.ts'

const invoice = { id: 'evt_1', type: 'invoice.paid' }
const UNTIL = millis(NOON + 60_000)

const captured = (secret: string, answer: number | null) => [...withCapture([secret], { until: UNTIL, answer })]
const capturing = (answer: number | null) => receiveRig({ secrets: { stripe: captured(STRIPE_SECRET, answer) } })

const keptFor = (purpose: KeptFor, { world }: ReceiveRig) =>
  world.deliveries.list(purpose, 'stripe', NOON, world.now(), 100)

/** A function that was given no place to keep deliveries in. */
const keepingNowhere = (options: Parameters<typeof receiveRig>[0]): ReceiveRig =>
  receiveRig({ ...options, world: { deliveries: undefined } as unknown as Partial<RigWorld> })

describe('capturing', () => {
  it.each([
    [59_999, 1],
    [60_000, 0],
  ])('a delivery after %i of 60,000 ms of capturing is kept %i times', async (later, count) => {
    const at = capturing(null)
    at.advance(later)
    expect((await at.stripe(invoice)).status).toBe(202)
    expect(await keptFor('capture', at)).toHaveLength(count)
  })

  it('a delivery is answered as ever while it would be captured and there is nowhere to keep it', async () => {
    const at = keepingNowhere({ secrets: { stripe: captured(STRIPE_SECRET, null) } })
    expect((await at.stripe(invoice)).status).toBe(202)
  })

  it('a delivery is answered as ever if the secret store knows nothing of capturing', async () => {
    const { capturing: _, ...secrets } = receiveRig().world.secrets
    expect((await receiveRig({ world: { secrets } }).stripe(invoice)).status).toBe(202)
  })
})

describe('a drill', () => {
  it.each([
    [59_999, 500],
    [60_000, 202],
  ])('a delivery after %i of 60,000 ms of a drill is answered %i', async (later, status) => {
    const at = capturing(500)
    at.advance(later)
    expect((await at.stripe(invoice)).status).toBe(status)
  })

  it.each([
    ['with many events', JSON.stringify({ events: [{ id: 'EV1' }] })],
    ['that names no event', JSON.stringify({ id: {} })],
  ])('a drill turns away a delivery %s too, and takes nothing', async (_name, body) => {
    const secret = 'drilled-0123456789'
    const secrets = { acme: captured(secret, 500) }
    const at = receiveRig({ sources: { acme: { provider: 'gocardless' } }, secrets })
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const answer = await at.post({ source: 'acme', body, headers: { 'webhook-signature': signature } })
    expect([answer.status, answer.body.type]).toEqual([500, problemType('drill')])
    expect(lastLine(at)).toMatchObject({ outcome: 'drill', Drill: 1 })
    expect(at.calls).toEqual({})
  })
})

describe('quarantine', () => {
  const sources = { stripe: { provider: 'stripe', quarantine: true } }

  it('a delivery that met an outage of our own is not kept in quarantine', async () => {
    const { secrets } = receiveRig().world
    const at = receiveRig({ sources, world: { secrets: { ...secrets, signingSecrets: isDown } } })
    expect((await at.stripe(invoice)).status).toBe(503)
    expect(await keptFor('quarantine', at)).toEqual([])
  })

  it('a rejected delivery is still a 401 if there is nowhere to keep it', async () => {
    const at = keepingNowhere({ sources })
    expect((await at.stripe(invoice, { secret: 'whsec_other_0123456789abcdef' })).status).toBe(401)
  })

  it.each([
    [262_144, 1],
    [262_145, 0],
  ])('a rejected body of %i bytes is kept by quarantine %i times', async (bytes, count) => {
    const at = receiveRig({ sources })
    expect((await at.post({ body: 'x'.repeat(bytes) })).status).toBe(401)
    expect(await keptFor('quarantine', at)).toHaveLength(count)
  })
})
