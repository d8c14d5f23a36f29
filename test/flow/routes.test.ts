import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { BodyStore, EventClaims, EventMoves, Queue } from '../../functions/domain/ports.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { replay } from '../../functions/operate/replay.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { GITHUB_SECRET, receiveRig } from '../support/receive-rig.ts'
import { type WholeRig, wholeRig } from '../support/whole-rig.ts'

const DESTINATIONS = { billing: { worker: 'billing.ts' }, crm: { queue: 'crm-events' } } as const

const routed = (fields: object = {}): Sources => ({
  stripe: {
    provider: 'stripe',
    routes: [
      { when: { type: 'invoice.*', body: { livemode: true } }, to: 'billing' },
      { when: { type: 'charge.*' }, to: 'worker' },
    ],
    ...fields,
  },
  github: { provider: 'github', routes: [{ when: { type: 'push' }, to: 'crm' }] },
})

const open = (sources: Sources = routed()): WholeRig => wholeRig({ sources, destinations: DESTINATIONS })

const INVOICE = { id: 'evt_1', type: 'invoice.paid', livemode: true }
const TEST_INVOICE = { id: 'evt_2', type: 'invoice.paid', livemode: false }
const CHARGE = { id: 'evt_3', type: 'charge.failed' }

const only = (at: WholeRig) => {
  const [record, ...others] = at.records.values()
  expect(others).toEqual([])
  if (!record) throw new Error('there is no record')
  return record
}

const lineOf = (at: WholeRig) => JSON.parse(at.lines.at(-1) ?? '{}')

const again = (at: WholeRig, fields: object = {}) =>
  replay(at.world, { id: only(at).fingerprint, actor: 'me', reason: 'why not', job: null, ...fields })

/** The same place after sources.ts was changed. */
const withSources = (at: WholeRig, sources: Sources) => {
  const world = { ...at.world, sources: resolveSources(sources, undefined, DESTINATIONS) }
  return { ...receiveRig({ sources, destinations: DESTINATIONS, world }), world }
}

describe('an event with one destination', () => {
  it('an event goes to the queue of its destination, in as many calls as without routes', async () => {
    const plain = wholeRig()
    await plain.stripe(INVOICE)
    const at = open()
    expect(await at.stripe(INVOICE)).toMatchObject({ status: 202, body: { status: 'accepted' } })
    expect(at.calls).toEqual(plain.calls)
    expect([at.memory.waitingAt('billing'), at.memory.waitingAt('worker')]).toEqual([1, 0])
    expect(only(at)).toMatchObject({ status: 'queued', to: ['billing'] })
    expect(at.messages()).toMatchObject([{ eventId: 'evt_1', to: ['billing'] }])
  })

  it('an event that a route sends to the worker has the record and the message that it has without routes', async () => {
    const plain = wholeRig()
    await plain.stripe(CHARGE)
    const at = open()
    await at.stripe(CHARGE)
    expect(Object.keys(at.messages()[0] ?? {})).toEqual(Object.keys(plain.messages()[0] ?? {}))
    const fields = (rig: WholeRig) => rig.memory.engine.items('hooklatch-events').flatMap(item => Object.keys(item))
    expect(fields(at)).toEqual(fields(plain))
    expect(at.memory.waitingAt('worker')).toBe(1)
  })

  it('an event is taken over with the destination that its claim has written down, whatever the routes say by then', async () => {
    const at = open()
    const dies: Queue['send'] = () => new Promise(() => {})
    const dying = receiveRig({
      sources: routed(),
      destinations: DESTINATIONS,
      world: { ...at.world, queue: { ...at.world.queue, send: dies } },
    })
    void dying.stripe(INVOICE)
    await new Promise(setImmediate)
    at.advance(15_000)
    const later = withSources(at, { stripe: { provider: 'stripe', routes: [{ to: 'crm' }] } })
    later.advance(15_000)
    expect((await later.stripe(INVOICE)).status).toBe(202)
    expect([at.memory.waitingAt('billing'), at.memory.waitingAt('crm')]).toEqual([1, 0])
  })

  it('recovery sends an abandoned event to the destination that its claim has written down', async () => {
    const at = open(routed({ storeFirst: true }))
    const dies: Queue['send'] = () => new Promise(() => {})
    void receiveRig({
      sources: routed({ storeFirst: true }),
      destinations: DESTINATIONS,
      world: { ...at.world, queue: { ...at.world.queue, send: dies } },
    }).stripe(INVOICE)
    await new Promise(resolve => setTimeout(resolve, 5))
    at.advance(3 * 60_000)
    expect(await at.recover()).toMatchObject({ recovered: 1 })
    expect(at.memory.waitingAt('billing')).toBe(1)
  })

  it('a record that is gone is made again with its destination', async () => {
    const at = open()
    await at.stripe(INVOICE)
    at.records.delete(only(at).fingerprint)
    await at.deliver(() => {}, at.texts())
    expect(only(at)).toMatchObject({ status: 'done', to: ['billing'] })
  })

  it('a replay goes where the routes of today lead', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await at.deliver(() => {}, at.texts())
    const later = withSources(at, { stripe: { provider: 'stripe', routes: [{ to: 'crm' }] } })
    expect(
      await replay(later.world, { id: only(at).fingerprint, actor: 'me', reason: 'moved', job: null }),
    ).toMatchObject({ kind: 'replayed', generation: 1 })
    expect(only(at)).toMatchObject({ status: 'queued', to: ['crm'] })
    expect(at.memory.waitingAt('crm')).toBe(1)
  })

  it('a failed event that is sent again goes where the routes of today lead, and back to the worker without a trace', async () => {
    const at = open()
    await at.stripe(INVOICE)
    at.records.set({ ...only(at), status: 'failed' })
    const later = withSources(at, { stripe: { provider: 'stripe' } })
    expect((await later.stripe(INVOICE)).status).toBe(202)
    expect(at.memory.engine.items('hooklatch-events')[0]).not.toHaveProperty('to')
    expect(at.messages()[1]).not.toHaveProperty('to')
    expect(at.memory.waitingAt('worker')).toBe(1)
  })
})

describe('an event that no route wants', () => {
  it('an unwanted event is answered 200 and ignored by its claim, and its body is kept and noted', async () => {
    const at = open()
    const answer = await at.stripe(TEST_INVOICE)
    expect(answer).toMatchObject({ status: 200, body: { status: 'ignored', id: only(at).fingerprint } })
    expect(only(at)).toMatchObject({
      status: 'ignored',
      to: [],
      ignoredBecause: 'no route matches',
      bodyAt: 'dynamodb',
    })
    expect(at.messages()).toEqual([])
    expect(at.calls).toEqual({ claim: 1, keep: 1, noteBody: 1 })
    expect(lineOf(at)).toMatchObject({ outcome: 'ignored', Ignored: 1 })
    expect(lineOf(at)).not.toHaveProperty('Accepted')
  })

  it('an unwanted event of a source that retains nothing is one write', async () => {
    const at = open(routed({ retain: 'none' }))
    await at.stripe(TEST_INVOICE)
    expect(at.calls).toEqual({ claim: 1 })
    expect(lineOf(at)).not.toHaveProperty('BodyNotKept')
  })

  it('an unwanted event of a sender that never retries has its body kept after its claim too', async () => {
    const at = open()
    const body = JSON.stringify({ ref: 'refs/heads/main' })
    const signature = createHmac('sha256', GITHUB_SECRET).update(body).digest('hex')
    const order: string[] = []
    const claim: EventClaims['claim'] = (...of) => {
      order.push('claim')
      return at.world.claims.claim(...of)
    }
    const keep: BodyStore['keep'] = (...of) => {
      order.push('keep')
      return at.world.bodies.keep(...of)
    }
    const world = { ...at.world, claims: { ...at.world.claims, claim }, bodies: { ...at.world.bodies, keep } }
    const answer = await receiveRig({ sources: routed(), destinations: DESTINATIONS, world }).post({
      source: 'github',
      body,
      headers: { 'x-github-event': 'star', 'x-github-delivery': 'd-1', 'x-hub-signature-256': `sha256=${signature}` },
    })
    expect([answer.status, order]).toEqual([200, ['claim', 'keep']])
  })

  it('a repeat of an unwanted event is a duplicate, and writes nothing', async () => {
    const at = open()
    await at.stripe(TEST_INVOICE)
    const before = only(at)
    expect(await at.stripe(TEST_INVOICE)).toMatchObject({ status: 200, body: { status: 'duplicate' } })
    expect(only(at)).toEqual(before)
  })

  it('an unwanted event is answered 200 even if its body cannot be kept, and that is counted', async () => {
    const at = open()
    const keep: BodyStore['keep'] = async () => ({ kind: 'unavailable', cause: 'x' })
    const broken = receiveRig({
      sources: routed(),
      destinations: DESTINATIONS,
      world: { ...at.world, bodies: { ...at.world.bodies, keep } },
    })
    expect((await broken.stripe(TEST_INVOICE)).status).toBe(200)
    expect(JSON.parse(broken.lines.at(-1) ?? '{}')).toMatchObject({ Ignored: 1, BodyNotKept: 1 })
  })

  it('the claim of an unwanted event whose answer was lost is still ours when it is repeated', async () => {
    const at = open()
    const claim: EventClaims['claim'] = async (...of) => {
      await at.world.claims.claim(...of)
      return at.world.claims.claim(...of)
    }
    const claims = { ...at.world.claims, claim }
    const twice = receiveRig({ sources: routed(), destinations: DESTINATIONS, world: { ...at.world, claims } })
    expect((await twice.stripe(TEST_INVOICE)).body.status).toBe('ignored')
  })

  it('events of one delivery that no route wants are counted by themselves', async () => {
    const secret = 'gocardless-bench-0123456789'
    const at = receiveRig({
      sources: {
        gocardless: {
          provider: 'gocardless',
          routes: [
            { when: { body: { action: 'paid_out' } }, to: 'billing' },
            { when: { body: { action: 'x' } }, to: 'crm' },
          ],
        },
      },
      destinations: DESTINATIONS,
      secrets: { gocardless: [secret] },
    })
    const post = (...actions: string[]) => {
      const body = JSON.stringify({ events: actions.map(action => ({ id: `EV-${action}`, action })) })
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      return at.post({ source: 'gocardless', body, headers: { 'webhook-signature': signature } })
    }
    expect(await post('paid_out', 'created', 'x')).toMatchObject({
      status: 202,
      body: { status: 'accepted', accepted: 2, ignored: 1, duplicate: 0 },
    })
    expect([at.memory.waitingAt('billing'), at.memory.waitingAt('crm')]).toEqual([1, 1])
    expect(JSON.parse(at.lines.at(-1) ?? '{}')).toMatchObject({ Accepted: 2, Ignored: 1 })
    expect(await post('failed')).toMatchObject({ status: 200, body: { status: 'ignored', ignored: 1 } })
  })

  it('hundreds of unwanted events in one delivery wait a second together for a body store that is slow', async () => {
    const secret = 'whsec_gocardless'
    let waits = 0
    const slow = receiveRig({
      sources: { gocardless: { provider: 'gocardless', routes: [{ when: { body: { action: 'x' } }, to: 'crm' }] } },
      destinations: DESTINATIONS,
      secrets: { gocardless: [secret] },
      world: {
        bodies: { keep: () => new Promise(() => {}), discard: () => new Promise(() => {}) },
        pause: async () => {
          waits += 1
        },
      },
    })
    const body = JSON.stringify({ events: Array.from({ length: 300 }, (_, n) => ({ id: `EV-${n}`, action: 'y' })) })
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const answer = await slow.post({ source: 'gocardless', body, headers: { 'webhook-signature': signature } })
    expect(answer).toMatchObject({ status: 200, body: { status: 'ignored', ignored: 300 } })
    expect(waits).toBe(1)
  })

  it('an unwanted event is replayed once the routes have changed, and refused before', async () => {
    const at = open()
    await at.stripe(TEST_INVOICE)
    expect(await again(at)).toEqual({ kind: 'no-route', id: only(at).fingerprint, source: 'stripe' })
    expect(only(at)).toMatchObject({ status: 'ignored', generation: 0 })
    const later = withSources(at, { stripe: { provider: 'stripe', routes: [{ to: 'billing' }] } })
    expect(
      await replay(later.world, { id: only(at).fingerprint, actor: 'me', reason: 'wanted now', job: null }),
    ).toMatchObject({ kind: 'replayed', generation: 1 })
    expect(only(at)).toMatchObject({ status: 'queued', to: ['billing'], ignoredBecause: null })
    const bodies: unknown[] = []
    await at.deliver(async event => void bodies.push(await event.json()), at.texts())
    expect(bodies).toEqual([TEST_INVOICE])
  })

  it('an event that was done is not replayed if no route wants it any more', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await at.deliver(() => {}, at.texts())
    const later = withSources(at, { stripe: { provider: 'stripe', routes: [{ when: { type: 'x' }, to: 'crm' }] } })
    expect(
      await replay(later.world, { id: only(at).fingerprint, actor: 'me', reason: 'why not', job: null }),
    ).toMatchObject({ kind: 'no-route' })
    expect(only(at)).toMatchObject({ status: 'done', generation: 0 })
  })

  it('a failed event that no route wants any more stays failed when it is sent again', async () => {
    const at = open()
    await at.stripe(INVOICE)
    at.records.set({ ...only(at), status: 'failed' })
    const later = withSources(at, { stripe: { provider: 'stripe', routes: [{ when: { type: 'x' }, to: 'crm' }] } })
    expect((await later.stripe(INVOICE)).body.status).toBe('duplicate')
    expect(only(at)).toMatchObject({ status: 'failed', generation: 0 })
  })

  it('an unwanted event whose body is still being kept is answered within a second', async () => {
    const at = open()
    const noteBody: EventMoves['noteBody'] = () => new Promise(() => {})
    const world = { ...at.world, events: { ...at.world.events, noteBody }, pause: async () => {} }
    const slow = receiveRig({ sources: routed(), destinations: DESTINATIONS, world })
    expect((await slow.stripe(TEST_INVOICE)).status).toBe(200)
  })
})
