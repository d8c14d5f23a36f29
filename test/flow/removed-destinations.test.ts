import { describe, expect, it } from 'vitest'
import { bury } from '../../functions/bury/bury.ts'
import type { Queue } from '../../functions/domain/ports.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { replay } from '../../functions/operate/replay.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { emptyRemoved } from '../../functions/recover/empty-removed.ts'
import { recover } from '../../functions/recover/recover.ts'
import { RIG_NAMES } from '../support/memory-rig.ts'
import { receiveRig } from '../support/receive-rig.ts'
import { wholeRig } from '../support/whole-rig.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const DESTINATIONS = { billing: { worker: 'billing.ts' }, crm: { queue: 'crm-events' } } as const

const to = (destination: string, fields: object = {}): Sources => ({
  stripe: { provider: 'stripe', retain: 'none', routes: [{ when: { type: 'invoice.*' }, to: destination }], ...fields },
})

const INVOICE = { id: 'evt_1', type: 'invoice.paid' }

/** A receiver whose invoices go to billing; and the same one after billing was removed, with other routes. */
const setUp = (fields: object = {}) => {
  const at = wholeRig({ sources: to('billing', fields), destinations: DESTINATIONS })
  const { left, queue } = at.world
  const { billing: _gone, ...current } = left.current
  const isThere = async (names: readonly string[]) => !names.includes('billing')
  const send: Queue['send'] = async (message, trace, key) =>
    message.to?.includes('billing')
      ? { kind: 'refused', cause: 'its destination does not exist any more', nowhere: true }
      : queue.send(message, trace, key)
  const removed = (sources: Sources = to('crm', fields)) => {
    const world = {
      ...at.world,
      sources: resolveSources(sources, undefined, DESTINATIONS),
      left: { ...left, current },
      queue: { ...queue, leadsTo: isThere, send },
    }
    return { world, receive: receiveRig({ sources, destinations: DESTINATIONS, world }) }
  }
  const dies: Queue['send'] = () => new Promise(() => {})
  /** A receiver that dies between its claim and its message. */
  const dyingReceiver = () =>
    receiveRig({
      sources: to('billing', fields),
      destinations: DESTINATIONS,
      world: { ...at.world, queue: { ...queue, send: dies } },
    })
  const only = () => {
    const [record, ...others] = at.records.values()
    if (!record || others.length > 0) throw new Error(`${others.length + 1} records`)
    return record
  }
  const deadLetters = () => at.memory.engine.messages(RIG_NAMES.deadLettersUrl)
  return { at, removed, dyingReceiver, only, deadLetters }
}

describe('a destination that is removed while events wait for it', () => {
  it('queues that the table answers in another order are not written down again', async () => {
    const { at } = setUp()
    await emptyRemoved(at.world)
    const { recovery } = at.world
    const known = Object.entries(await recovery.queues())
    const noted: unknown[] = []
    const otherwise = {
      ...recovery,
      queues: async () => Object.fromEntries(known.toReversed()),
      noteQueues: async (queues: unknown) => void noted.push(queues),
    }
    await emptyRemoved({ ...at.world, recovery: otherwise })
    expect([known.length, noted]).toEqual([3, []])
  })

  it('what waits in its queue fails with its body kept, and a replay sends it where the routes of today lead', async () => {
    const { at, removed, only, deadLetters } = setUp()
    await at.stripe(INVOICE)
    expect(await emptyRemoved(at.world)).toEqual([])
    const { world } = removed()
    expect(await emptyRemoved(world)).toEqual([])
    at.advance(15 * MINUTE)
    expect(await emptyRemoved(world)).toEqual([{ destination: 'billing', messages: 1 }])
    expect([at.memory.waitingAt('billing'), deadLetters()]).toEqual([0, [expect.anything()]])
    const [text = ''] = at.texts()
    await bury(world, { text, messageId: 'dead-1' }, 16)
    expect(only()).toMatchObject({
      status: 'failed',
      lastError: "Removed: destinations.ts has no billing any more; replay it by today's routes",
      bodyAt: 'dynamodb',
    })
    const asked = { id: only().fingerprint, actor: 'ada', reason: 'billing is gone', job: null }
    expect(await replay(world, asked)).toMatchObject({ kind: 'replayed', queued: true })
    expect(only()).toMatchObject({ status: 'queued', to: ['crm'] })
  })

  it('nothing is moved for a quarter of an hour, and nothing at all if the deployment is rolled back', async () => {
    const { at, removed } = setUp()
    await at.stripe(INVOICE)
    const { world } = removed()
    await emptyRemoved(at.world)
    await emptyRemoved(world)
    at.advance(15 * MINUTE - 1)
    expect(await emptyRemoved(world)).toEqual([])
    await emptyRemoved(at.world)
    at.advance(DAY)
    expect(await emptyRemoved(world)).toEqual([])
    expect(at.memory.waitingAt('billing')).toBe(1)
  })

  it('its queue is looked at until no message can be in it any more, and a queue that does not answer is said', async () => {
    const { at, removed } = setUp()
    await emptyRemoved(at.world)
    const { world } = removed()
    await emptyRemoved(world)
    at.advance(DAY)
    const bury = () => Promise.reject(new Error('no such queue'))
    const failing = { ...world, left: { ...world.left, bury } }
    expect(await emptyRemoved(failing)).toEqual([
      { destination: 'billing', messages: 0, failed: 'Error: no such queue' },
    ])
    at.advance(14 * DAY)
    expect(await emptyRemoved(failing)).toEqual([])
    expect(Object.keys(await world.recovery.queues())).toEqual(Object.keys(world.left.current))
  })

  it('a stack that never had destinations writes nothing down', async () => {
    const at = wholeRig()
    expect(await emptyRemoved(at.world)).toEqual([])
    expect(at.memory.engine.items('hooklatch-events')).toEqual([])
  })
})

describe('a claim whose destination was removed before it was sent', () => {
  it('the next try of its sender is accepted, and goes where the routes of today lead', async () => {
    const { at, removed, dyingReceiver, only } = setUp()
    void dyingReceiver().stripe(INVOICE)
    await new Promise(setImmediate)
    at.advance(15_000)
    const { receive } = removed()
    receive.advance(15_000)
    expect((await receive.stripe(INVOICE)).status).toBe(202)
    expect(only()).toMatchObject({ status: 'queued', to: ['crm'], generation: 0 })
    expect(at.memory.waitingAt('crm')).toBe(1)
  })

  it('the next try of its sender is answered 200 and ignored if no route of today wants it', async () => {
    const { at, removed, dyingReceiver } = setUp()
    void dyingReceiver().stripe(INVOICE)
    await new Promise(setImmediate)
    at.advance(15_000)
    const { receive } = removed({ stripe: { provider: 'stripe', routes: [{ when: { type: 'charge.*' }, to: 'crm' }] } })
    receive.advance(15_000)
    expect(await receive.stripe(INVOICE)).toMatchObject({ status: 200, body: { status: 'ignored' } })
  })

  it('recovery leaves it for a quarter of an hour, because its destination may only be new', async () => {
    const { at, removed, dyingReceiver, only } = setUp({ storeFirst: true })
    void dyingReceiver().stripe(INVOICE)
    await new Promise(resolve => setTimeout(resolve, 5))
    at.advance(3 * MINUTE)
    await recover(removed().world)
    expect(only()).toMatchObject({ status: 'claimed', to: ['billing'] })
    at.advance(60 * MINUTE)
    await recover(at.world)
    expect(only()).toMatchObject({ status: 'queued', to: ['billing'] })
  })

  it('recovery sends it where the routes of today lead, and fails it with its body kept if they want it nowhere', async () => {
    for (const [type, expected] of [
      ['invoice.*', { status: 'queued', to: ['crm'] }],
      ['charge.*', { status: 'failed', bodyAt: 'dynamodb', lastError: expect.stringMatching(/^Removed: /) }],
    ] as const) {
      const { at, removed, dyingReceiver, only } = setUp({ storeFirst: true })
      void dyingReceiver().stripe(INVOICE)
      await new Promise(resolve => setTimeout(resolve, 5))
      at.advance(61 * MINUTE)
      const { world } = removed({ stripe: { provider: 'stripe', routes: [{ when: { type }, to: 'crm' }] } })
      await recover(world)
      expect(only()).toMatchObject(expected)
    }
  })

  it('recovery leaves it for whoever sends it, where a resend reopens nothing, until a route wants it again', async () => {
    const fields = { storeFirst: true, resend: 'ignore' }
    const { at, removed, dyingReceiver, only } = setUp(fields)
    void dyingReceiver().stripe(INVOICE)
    await new Promise(resolve => setTimeout(resolve, 5))
    at.advance(61 * MINUTE)
    const { world } = removed(to('ignore', fields))
    expect(await recover(world)).toMatchObject({ lost: 0, waiting: 2 })
    expect(only()).toMatchObject({ status: 'claimed', to: ['billing'] })
    const { receive } = removed()
    receive.advance(61 * MINUTE)
    expect(await receive.stripe(INVOICE)).toMatchObject({ status: 202 })
    expect(only()).toMatchObject({ status: 'queued', to: ['crm'] })
  })
})
