import { describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import type { KeptFor } from '../../../functions/domain/kept-delivery.ts'
import { withCapture } from '../../../functions/domain/secret-list.ts'
import { acceptQuarantined, reverify } from '../../../functions/operate/quarantine.ts'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { compare } from '../../../lib/operator/compare.ts'
import { keptDetail } from '../../../lib/operator/kept-view.ts'
import { redactHeader } from '../../../lib/operator/redact.ts'
import type { SecretsAdmin } from '../../../lib/operator/secrets-admin.ts'
import { startCapture } from '../../../lib/operator/set-capture.ts'
import { NOON } from '../../support/events.ts'
import { problemType } from '../../support/problem-type.ts'
import { receiveRig, STRIPE_SECRET } from '../../support/receive-rig.ts'

const EVENT = { id: 'evt_1', object: 'event', type: 'invoice.paid' }
const OLD_SECRET = 'whsec_old_0123456789abcdef0123'
const UNTIL = millis(NOON + 600_000)
/** How long a receiver goes on with the secrets that it has read. */
const NOTICED = 5 * 60_000

const setUp = ({ quarantine = true, secret = STRIPE_SECRET } = {}) => {
  const sources = { stripe: { provider: 'stripe', quarantine } }
  const at = receiveRig({ sources, secrets: { stripe: [secret] } })
  const { world } = at
  const kept = (keptFor: KeptFor) => world.deliveries.list(keptFor, 'stripe', NOON, world.now(), 100)
  const accept = (key: string) =>
    acceptQuarantined(world, { source: 'stripe', key, actor: 'ada', reason: 'late rotation', job: null })
  const setSecrets = (...stripe: readonly string[]) => at.memory.setSecrets({ stripe })
  return { at, world, setSecrets, kept, accept }
}

describe('quarantine', () => {
  it('quarantine keeps every byte of a delivery that failed verification, and claims nothing', async () => {
    const { at, kept } = setUp({ secret: OLD_SECRET })
    expect((await at.stripe(EVENT)).status).toBe(401)
    expect(await kept('quarantine')).toMatchObject([
      { source: 'stripe', status: 401, outcome: 'rejected', reason: 'signature-mismatch', id: null },
    ])
    expect(Buffer.from((await kept('quarantine'))[0]?.body ?? []).toString()).toBe(JSON.stringify(EVENT))
    expect(at.calls).toEqual({})
  })

  it('quarantine keeps nothing of a source without it, and no genuine delivery', async () => {
    const off = setUp({ quarantine: false, secret: OLD_SECRET })
    await off.at.stripe(EVENT)
    expect(await off.kept('quarantine')).toEqual([])
    const on = setUp()
    expect((await on.at.stripe(EVENT)).status).toBe(202)
    expect(await on.kept('quarantine')).toEqual([])
  })

  it('quarantine keeps at most thirty deliveries a minute, and none above 256 KB', async () => {
    const { at, kept } = setUp({ secret: OLD_SECRET })
    for (let number = 0; number < 40; number += 1) await at.stripe(EVENT)
    expect(await kept('quarantine')).toHaveLength(30)
    at.advance(60_000)
    await at.stripe(EVENT)
    await at.stripe({ ...EVENT, filler: 'x'.repeat(262_144) })
    expect(await kept('quarantine')).toHaveLength(31)
  })

  it('a delivery is answered as usual if quarantine cannot keep it', async () => {
    const down = async () => ({ kind: 'unavailable', cause: 'Timeout: no' }) as const
    const at = receiveRig({
      sources: { stripe: { provider: 'stripe', quarantine: true } },
      world: { deliveries: { ...receiveRig().world.deliveries, keep: down } },
    })
    expect((await at.stripe(EVENT, { secret: OLD_SECRET })).status).toBe(401)
  })

  it('a quarantined delivery is genuine after the secret is fixed, is accepted once, and who accepted it is recorded', async () => {
    const { at, world, setSecrets, kept, accept } = setUp({ secret: OLD_SECRET })
    await at.stripe(EVENT)
    const key = (await kept('quarantine'))[0]?.key ?? ''
    expect(await reverify(world, 'stripe', key)).toEqual({ kind: 'distrusted', reason: 'signature-mismatch' })
    expect(await accept(key)).toEqual({ kind: 'distrusted', reason: 'signature-mismatch' })
    expect(at.messages()).toEqual([])

    setSecrets(STRIPE_SECRET, OLD_SECRET)
    at.advance(3_600_000)
    expect(await reverify(world, 'stripe', key)).toEqual({ kind: 'genuine' })
    const taken = await accept(key)
    expect(taken).toMatchObject({ kind: 'taken', outcome: 'accepted', eventId: 'evt_1' })
    expect(await accept(key)).toMatchObject({ kind: 'taken', outcome: 'duplicate' })
    expect(at.messages()).toHaveLength(1)
    expect(at.messages()[0]).toMatchObject({ eventId: 'evt_1', receivedAt: new Date(NOON).toISOString() })
    const [audit] = await world.replays.recent(NOON, world.now(), 10)
    expect(audit).toMatchObject({ act: 'accept', actor: 'ada', reason: 'late rotation', was: null, generation: 0 })
  })

  it('who accepted a quarantined delivery is recorded even if it finishes an abandoned event', async () => {
    const { at, world, setSecrets, kept, accept } = setUp()
    const lost = receiveRig({ world: { ...at.world, queue: { ...at.world.queue, send: () => new Promise(() => {}) } } })
    void lost.stripe(EVENT)
    await new Promise(resolve => setTimeout(resolve, 5))
    setSecrets(OLD_SECRET)
    at.advance(NOTICED)
    await at.stripe(EVENT)
    setSecrets(STRIPE_SECRET)
    at.advance(NOTICED)
    const [refused] = await kept('quarantine')
    expect(await accept(refused?.key ?? '')).toMatchObject({ kind: 'taken', outcome: 'accepted' })
    const [audit] = await world.replays.recent(NOON, world.now(), 10)
    expect(audit).toMatchObject({ act: 'accept', actor: 'ada', was: null, generation: 0 })
  })

  it('quarantine accepts no delivery whose signature was stale when it came, and no unknown one', async () => {
    const { at, world, kept, accept } = setUp()
    await at.stripe(EVENT, { at: NOON - 3_600_000 })
    const [stale] = await kept('quarantine')
    expect(stale).toMatchObject({ reason: 'timestamp-stale' })
    expect(await accept(stale?.key ?? '')).toEqual({ kind: 'distrusted', reason: 'timestamp-stale' })
    expect(await accept('nothing')).toEqual({ kind: 'unknown' })
    expect(await reverify(world, 'nobody', 'x')).toEqual({ kind: 'no-source', source: 'nobody' })
    at.advance(4 * 86_400_000)
    expect(await accept(stale?.key ?? '')).toEqual({ kind: 'unknown' })
  })
})

describe('capture', () => {
  it('a capture keeps accepted, duplicate and rejected deliveries with their answers until it ends', async () => {
    const { at, setSecrets, kept } = setUp({ quarantine: false })
    setSecrets(...withCapture([STRIPE_SECRET], { until: UNTIL, answer: null }))
    await at.stripe(EVENT)
    at.advance(1_000)
    await at.stripe(EVENT)
    at.advance(1_000)
    await at.stripe(EVENT, { secret: OLD_SECRET })
    at.advance(600_000)
    await at.stripe({ ...EVENT, id: 'evt_2' })
    expect((await kept('capture')).map(({ status, outcome, eventId }) => [status, outcome, eventId])).toEqual([
      [401, 'rejected', null],
      [200, 'duplicate', 'evt_1'],
      [202, 'accepted', 'evt_1'],
    ])
  })

  it('a capture that is off costs no call', async () => {
    const { at } = setUp()
    await at.stripe(EVENT)
    await at.stripe(EVENT)
    expect(at.calls).toEqual({ claim: 2, send: 1, keep: 1, settle: 1 })
  })

  it('a drill turns genuine deliveries away and claims none, and forged deliveries still get 401', async () => {
    const { at, setSecrets, kept } = setUp()
    setSecrets(...withCapture([STRIPE_SECRET], { until: UNTIL, answer: 500 }))
    const first = await at.stripe(EVENT)
    expect(first).toMatchObject({ status: 500, body: { type: problemType('drill') } })
    at.advance(30_000)
    expect((await at.stripe(EVENT)).status).toBe(500)
    expect((await at.stripe(EVENT, { secret: OLD_SECRET })).status).toBe(401)
    expect(at.calls).toEqual({})
    expect(at.messages()).toEqual([])
    const drills = (await kept('capture')).filter(({ outcome }) => outcome === 'drill')
    expect(drills.map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_1'])
    at.advance(600_000)
    expect((await at.stripe(EVENT)).status).toBe(202)
  })

  it.each(['200', '202', '301', '99', '600', 'OK', '4e2x'])(
    'a capture with the answer %s is no drill, so its deliveries are accepted',
    async answer => {
      const { at, setSecrets } = setUp()
      setSecrets(STRIPE_SECRET, `hooklatch-capture:${new Date(UNTIL).toISOString()} ${answer}`)
      expect((await at.stripe(EVENT)).status).toBe(202)
      expect(at.messages()).toHaveLength(1)
    },
  )

  it.each([
    ['github', 500, 1, 'never-retries'],
    ['contentful', 400, 1, 'gives-up'],
    ['contentful', 500, 119, 'set'],
    ['contentful', 500, 120, 'outlasts'],
    ['stripe', 400, 120, 'set'],
  ])(
    'a drill of %s with %i for %i s is answered %s, so no event is lost',
    async (provider, answer, forSeconds, kind) => {
      const sources = resolveSources({ source: { provider } })
      const signing: SecretsAdmin = {
        place: 'memory',
        read: async () => ({ lists: {}, version: '1', changedAt: null }),
        write: async () => 'written',
      }
      const world = { sources, signing, now: () => NOON, takesEffect: 'now' }
      expect((await startCapture(world, { source: 'source', forMs: forSeconds * 1000, answer })).kind).toBe(kind)
    },
  )

  it('drills in a row are as long as from the first to the end of the last, so no event is lost', async () => {
    let lists: Readonly<Record<string, readonly string[]>> = { source: ['secret'] }
    let now = NOON
    const signing: SecretsAdmin = {
      place: 'memory',
      read: async () => ({ lists, version: '1', changedAt: null }),
      write: async changed => {
        lists = changed
        return 'written'
      },
    }
    const world = {
      sources: resolveSources({ source: { provider: 'contentful' } }),
      signing,
      now: () => now,
      takesEffect: 'now',
    }
    const drillAt = async (second: number) => {
      now = millis(NOON + second * 1_000)
      return (await startCapture(world, { source: 'source', forMs: 60_000, answer: 500 })).kind
    }
    expect(await drillAt(0)).toBe('set')
    expect(await drillAt(50)).toBe('set')
    expect(await drillAt(100)).toBe('outlasts')
    // They ended at 110, and what they turned away is given as long to come again.
    expect(await drillAt(219)).toBe('outlasts')
    expect(await drillAt(220)).toBe('set')
  })

  it('the mark of a capture is not a secret: neither a handshake nor a sender can use it', async () => {
    const { at, setSecrets } = setUp()
    const [, mark = ''] = withCapture([STRIPE_SECRET], { until: UNTIL, answer: null })
    setSecrets(...withCapture([STRIPE_SECRET], { until: UNTIL, answer: null }))
    expect((await at.stripe(EVENT, { secret: mark })).status).toBe(401)
    setSecrets(mark)
    at.advance(NOTICED)
    expect((await at.stripe(EVENT)).status).toBe(503)
  })
})

describe('a comparison', () => {
  it('a comparison says what changed in headers and JSON and that the id stayed, and shows no signature', async () => {
    const { at, world, setSecrets, kept } = setUp()
    setSecrets(...withCapture([STRIPE_SECRET], { until: UNTIL, answer: 500 }))
    await at.stripe({ ...EVENT, data: { tries: [1, 2], gone: true } })
    at.advance(12_000)
    await at.stripe({ ...EVENT, data: { tries: [1, 3] } })
    const [second, first] = await kept('capture')
    if (!first || !second) throw new Error('nothing was captured')
    const found = compare(first, second, world.sources.get('stripe'))
    expect(found).toMatchObject({ secondsBetween: 12, sameEventId: true, sameBody: false })
    expect(found.headers).toEqual([{ path: 'stripe-signature', first: '[REDACTED]', second: '[REDACTED]' }])
    expect(found.body).toEqual([
      { path: '$.data.tries[1]', first: '2', second: '3' },
      { path: '$.data.gone', first: 'true', second: null },
    ])
    expect(compare(first, first, undefined)).toMatchObject({ sameBody: true, headers: [], body: [] })
    expect(JSON.stringify(keptDetail(first, world.sources.get('stripe')))).not.toMatch(/v1=/)
  })

  it('a comparison shows no signature of PayPal, which shortens the word', () => {
    expect(redactHeader(undefined, 'PAYPAL-TRANSMISSION-SIG', 'CpnNbq')).toBe('[REDACTED]')
    expect(redactHeader(undefined, 'x-signal-strength', '5')).toBe('5')
  })

  it('a comparison of bodies that are not JSON says that they differ', async () => {
    const { at, setSecrets, kept } = setUp()
    setSecrets(...withCapture([OLD_SECRET], { until: UNTIL, answer: null }))
    await at.post({ body: 'one', headers: { 'stripe-signature': 't=1,v1=00' } })
    at.advance(1_000)
    await at.post({ body: 'other', headers: { 'stripe-signature': 't=1,v1=00' } })
    const [second, first] = await kept('capture')
    if (!first || !second) throw new Error('nothing was captured')
    expect(compare(first, second, undefined)).toMatchObject({
      sameEventId: null,
      body: [{ path: '$', first: '3 bytes', second: '5 bytes' }],
    })
  })
})
