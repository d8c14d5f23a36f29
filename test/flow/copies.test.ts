import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { handedOverBodies } from '../../functions/adapters/handed-over-bodies.ts'
import type { Handler } from '../../functions/consume/handle.ts'
import { MALFORMED_RECEIVES } from '../../functions/contract/queues.ts'
import { toQueue } from '../../functions/deliver/to-queue.ts'
import { type Fingerprint, millis } from '../../functions/domain/brands.ts'
import { copyId } from '../../functions/domain/copies.ts'
import { copiesOf, statusWith } from '../../functions/domain/copies-of.ts'
import { Unprocessable } from '../../functions/domain/event.ts'
import type { BodyStore, CopyClaims, EventClaims, Queue } from '../../functions/domain/ports.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { fanOut } from '../../functions/fan-out/fan-out.ts'
import { erase } from '../../functions/operate/erase.ts'
import { replay } from '../../functions/operate/replay.ts'
import { replayMany } from '../../functions/operate/replay-many.ts'
import { startEraseJob } from '../../functions/operate/start-job.ts'
import { find } from '../../lib/operator/find.ts'
import { planErase } from '../../lib/operator/plan-erase.ts'
import { type Showing, show } from '../../lib/operator/show.ts'
import { RIG_NAMES } from '../support/memory-rig.ts'
import type { RigWorld } from '../support/receive-rig.ts'
import { type WholeRig, wholeRig } from '../support/whole-rig.ts'

const DESTINATIONS = { billing: { worker: 'billing.ts' }, crm: { queue: 'crm-events' } } as const
const SOURCES: Sources = { stripe: { provider: 'stripe', routes: [{ to: ['billing', 'crm', 'worker'] }] } }
const INVOICE = { id: 'evt_1', type: 'invoice.paid', amount: 12 }
const EVERYWHERE = ['billing', 'crm', 'worker']

const open = (sources = SOURCES): WholeRig => wholeRig({ sources, destinations: DESTINATIONS })

/** What is on the queue of a destination now, as a consumer would receive it. */
const receive = (at: WholeRig, destination: string): string[] => {
  const url = destination === 'worker' ? 'memory://sqs/hooklatch-events' : `memory://sqs/hooklatch-to-${destination}`
  const messages = at.memory.engine.queue.receiveMessages(url)
  at.memory.engine.queue.deleteMessages(
    url,
    messages.map(({ receipt }) => receipt),
  )
  return messages.map(({ body }) => body)
}

const spread = (at: WholeRig, world: RigWorld = at.world, texts = receive(at, '*')) =>
  at.deliver(fanOut(world), texts, { world })

const work = (at: WholeRig, destination: string, handler: Handler = () => {}) =>
  at.deliver(handler, receive(at, destination))

const eventOf = (at: WholeRig) => {
  const event = at.records.values().find(({ copyOf }) => copyOf === null)
  if (!event) throw new Error('there is no event')
  return event
}
const copyOf = (at: WholeRig, destination: string) => at.records.get(copyId(eventOf(at).fingerprint, destination))
const seen = async (at: WholeRig) => {
  const event = eventOf(at)
  return statusWith(event, await copiesOf(at.world.records, event, at.world.now()))
}
const again = (at: WholeRig, fields: object = {}, world = at.world) =>
  replay(world, { id: eventOf(at).fingerprint, actor: 'me', reason: 'why not', job: null, ...fields })
const everywhere = async (at: WholeRig, handler?: Handler) => {
  for (const destination of EVERYWHERE) await work(at, destination, handler)
}

describe('an event with several destinations', () => {
  it('an event with several destinations costs its receiver one message, and becomes a copy for each of them', async () => {
    const at = open()
    expect((await at.stripe(INVOICE)).status).toBe(202)
    expect(at.messages()).toMatchObject([{ to: EVERYWHERE }])
    expect(eventOf(at)).toMatchObject({ status: 'queued', to: EVERYWHERE })
    expect(await spread(at)).toEqual([])
    expect(eventOf(at)).toMatchObject({ status: 'done' })
    for (const destination of EVERYWHERE) {
      expect(copyOf(at, destination)).toMatchObject({ status: 'queued', to: [destination], madeBy: 0, generation: 0 })
      expect(at.memory.waitingAt(destination)).toBe(1)
    }
    expect(await seen(at)).toBe('queued')
  })

  it('each copy has the body and the id of its event, and an idempotency key of its own', async () => {
    const at = open()
    const { body } = await at.stripe(INVOICE)
    await spread(at)
    const keys = new Set<string>()
    await everywhere(at, async event => {
      expect([event.id, await event.json()]).toEqual([body.id, INVOICE])
      keys.add(event.idempotencyKey)
    })
    expect(keys.size).toBe(3)
    expect(await seen(at)).toBe('done')
  })

  it('an event is seen as failed when one of its copies is, and the others are not touched by that', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spread(at)
    await work(at, 'billing')
    await at.deliver(
      () => {
        throw new Error('crm is down')
      },
      receive(at, 'crm'),
      { tries: 1 },
    )
    expect([copyOf(at, 'billing')?.status, copyOf(at, 'crm')?.status, await seen(at)]).toEqual([
      'done',
      'failed',
      'failed',
    ])
    expect(eventOf(at).status).toBe('done')
  })

  it('a repeat of an event that has a failed copy is a duplicate, and leaves the copy to a redrive', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spread(at)
    const broken = () => {
      throw new Error('crm is down')
    }
    await at.deliver(broken, receive(at, 'crm'), { tries: 1 })
    expect(await at.stripe(INVOICE)).toMatchObject({ status: 200, body: { status: 'duplicate' } })
    expect([copyOf(at, 'crm')?.status, at.memory.waitingAt('crm')]).toEqual(['failed', 0])
  })

  it('a repeat of the message makes no second copy', async () => {
    const at = open()
    await at.stripe(INVOICE)
    const texts = receive(at, '*')
    await spread(at, at.world, texts)
    at.records.set({ ...eventOf(at), status: 'queued' })
    await spread(at, at.world, texts)
    for (const destination of EVERYWHERE) expect(at.memory.waitingAt(destination)).toBe(1)
    expect((await at.stripe(INVOICE)).body.status).toBe('duplicate')
  })

  it('a death between two copies loses none: the next try makes those that are missing', async () => {
    const at = open()
    await at.stripe(INVOICE)
    const texts = receive(at, '*')
    const claim: EventClaims['claim'] = async (record, ...more) =>
      record.to[0] === 'crm' ? { kind: 'unavailable', cause: 'away' } : at.world.claims.claim(record, ...more)
    const world = { ...at.world, claims: { ...at.world.claims, claim } }
    expect(await spread(at, world, texts)).toEqual(['m-0'])
    expect([copyOf(at, 'billing')?.status, copyOf(at, 'crm'), eventOf(at).status]).toEqual([
      'queued',
      undefined,
      'working',
    ])
    await spread(at, at.world, texts)
    expect([copyOf(at, 'crm')?.status, eventOf(at).status]).toEqual(['queued', 'done'])
    for (const destination of EVERYWHERE) expect(at.memory.waitingAt(destination)).toBe(1)
  })

  it('a death after the claim of a copy is finished by recovery, or by the next try once its lease has passed', async () => {
    const at = open()
    await at.stripe(INVOICE)
    const texts = receive(at, '*')
    const send: Queue['send'] = async (message, ...more) =>
      message.to?.[0] === 'crm' || message.to?.[0] === 'billing'
        ? { kind: 'unavailable', cause: 'nobody knows' }
        : at.world.queue.send(message, ...more)
    await spread(at, { ...at.world, queue: { ...at.world.queue, send } }, texts)
    expect([copyOf(at, 'crm')?.status, eventOf(at).status]).toEqual(['claimed', 'working'])
    expect(await spread(at, at.world, texts)).toEqual(['m-0'])
    at.advance(3 * 60_000)
    expect(await at.recover()).toMatchObject({ recovered: 2 })
    expect([copyOf(at, 'crm')?.status, copyOf(at, 'billing')?.status]).toEqual(['queued', 'queued'])
    await spread(at, at.world, texts)
    expect(eventOf(at).status).toBe('done')
    for (const destination of EVERYWHERE) expect(at.memory.waitingAt(destination)).toBe(1)
  })

  it('the body of an event with copies is kept as long as a message of a copy can live, whatever its source retains', async () => {
    const at = open({ stripe: { provider: 'stripe', retain: 'none', routes: [{ to: ['billing', 'crm'] }] } })
    await at.stripe(INVOICE)
    await spread(at)
    at.advance(11 * 86_400_000)
    const bodies: unknown[] = []
    await work(at, 'crm', async event => void bodies.push(await event.json()))
    expect(bodies).toEqual([INVOICE])
  })

  it('a version that one destination has seen is new for another', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spread(at)
    const versions: string[] = []
    await everywhere(at, async (_event, { newest }) => void versions.push(await newest('invoice', 3)))
    expect(versions).toEqual(['newest', 'newest', 'newest'])
  })

  it('a list of events has the event, and none of its copies', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spread(at)
    const { records } = await at.world.records.list({
      limit: 10,
      now: at.world.now(),
      from: millis(at.world.now() - 60_000),
    })
    expect(records.map(({ fingerprint }) => fingerprint)).toEqual([eventOf(at).fingerprint])
  })
})

describe('a replay of an event with several destinations', () => {
  const done = async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spread(at)
    await everywhere(at)
    return at
  }

  it('a replay begins each copy anew, with a new idempotency key', async () => {
    const at = await done()
    expect(await again(at)).toMatchObject({ kind: 'replayed', generation: 1 })
    await spread(at)
    for (const destination of EVERYWHERE) {
      expect(copyOf(at, destination)).toMatchObject({ status: 'queued', generation: 1, edition: 1, madeBy: 1 })
      expect(at.memory.waitingAt(destination)).toBe(1)
    }
    await everywhere(at)
    expect(await seen(at)).toBe('done')
  })

  it('a copy that is begun anew is remembered as long as a new one, also if the claim that met it was slow', async () => {
    const at = await done()
    const lifeOf = (copy = copyOf(at, 'crm')) => (copy?.expiresAt ?? 0) - Math.floor((copy?.claimedAt ?? 0) / 1000)
    const life = lifeOf()
    await again(at)
    const claim: EventClaims['claim'] = async (...given) => {
      const answer = await at.world.claims.claim(...given)
      at.advance(5_000)
      return answer
    }
    const send: Queue['send'] = async () => ({ kind: 'unavailable', cause: 'nobody knows' })
    await spread(at, { ...at.world, claims: { ...at.world.claims, claim }, queue: { ...at.world.queue, send } })
    expect(copyOf(at, 'crm')).toMatchObject({ status: 'claimed', madeBy: 1 })
    expect(lifeOf()).toBe(life)
  })

  it('a replay is refused while a copy is in flight', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spread(at)
    await work(at, 'billing')
    expect(await again(at)).toMatchObject({ kind: 'in-flight', status: 'queued' })
    expect(eventOf(at)).toMatchObject({ status: 'done', generation: 0 })
  })

  it('a redrive takes the copies that have failed, and no other', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spread(at)
    await work(at, 'billing')
    await work(at, 'worker')
    const broken = () => {
      throw new Error('crm is down')
    }
    await at.deliver(broken, receive(at, 'crm'), { tries: 1 })
    expect(await again(at, { onlyFailed: true })).toMatchObject({ kind: 'replayed', id: eventOf(at).fingerprint })
    expect(copyOf(at, 'crm')).toMatchObject({ status: 'queued', generation: 1, edition: 0 })
    expect([at.memory.waitingAt('billing'), at.memory.waitingAt('crm')]).toEqual([0, 1])
    await work(at, 'crm')
    expect(await seen(at)).toBe('done')
  })

  it('a redrive without a failed copy is refused', async () => {
    const at = await done()
    expect(await again(at, { onlyFailed: true })).toMatchObject({ kind: 'not-failed', status: 'done' })
  })

  it('a redrive of one copy that is done is refused by what that copy is, although another has failed', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spread(at)
    await work(at, 'billing')
    const broken = () => {
      throw new Error('crm is down')
    }
    await at.deliver(broken, receive(at, 'crm'), { tries: 1 })
    expect(await again(at, { onlyFailed: true, to: 'billing' })).toEqual({
      kind: 'not-failed',
      id: eventOf(at).fingerprint,
      status: 'done',
      destinations: ['billing'],
    })
  })

  it('a replay can name one destination', async () => {
    const at = await done()
    expect(await again(at, { to: 'billing' })).toMatchObject({ kind: 'replayed', destinations: ['billing'] })
    expect([at.memory.waitingAt('billing'), at.memory.waitingAt('crm')]).toEqual([1, 0])
    expect(copyOf(at, 'billing')).toMatchObject({ generation: 1, edition: 1, madeBy: 0 })
    expect(await again(at, { to: 'legacy' })).toEqual({
      kind: 'no-destination',
      id: eventOf(at).fingerprint,
      destination: 'legacy',
    })
  })

  it('an event that went to one destination is not replayed for it if the routes of today lead elsewhere', async () => {
    const at = open({ stripe: { provider: 'stripe', routes: [{ to: ['crm'] }] } })
    await at.stripe(INVOICE)
    await work(at, 'crm')
    const { sources } = open({ stripe: { provider: 'stripe', routes: [{ to: ['billing'] }] } }).world
    const answer = await again(at, { to: 'crm' }, { ...at.world, sources })
    expect(answer).toEqual({ kind: 'no-destination', id: eventOf(at).fingerprint, destination: 'crm' })
    expect([eventOf(at).generation, at.memory.waitingAt('billing'), at.memory.waitingAt('crm')]).toEqual([0, 0, 0])
    expect(await again(at, { to: 'crm' })).toMatchObject({ kind: 'replayed', generation: 1 })
  })

  it('of two who were shown the same generation of a copy, the second is told who was first, however late they ask', async () => {
    const at = await done()
    expect(await again(at, { to: 'crm', generation: 0, actor: 'ada' })).toMatchObject({ kind: 'replayed' })
    await work(at, 'crm')
    at.advance(3_600_000)
    expect(await again(at, { to: 'crm', generation: 0 })).toMatchObject({
      ...{ kind: 'already-replayed', generation: 1, by: 'ada' },
    })
    expect([copyOf(at, 'crm')?.status, at.memory.waitingAt('crm')]).toEqual(['done', 0])
    expect(await again(at, { to: 'crm', generation: 1 })).toMatchObject({ kind: 'replayed', destinations: ['crm'] })
    expect(eventOf(at)).toMatchObject({ status: 'done', generation: 0 })
  })

  it('a copy that its event began anew meanwhile is not replayed by somebody who was shown it before', async () => {
    const at = await done()
    expect(await again(at, { generation: 0 })).toMatchObject({ kind: 'replayed' })
    await spread(at)
    await everywhere(at)
    expect(await again(at, { to: 'crm', generation: 0 })).toMatchObject({ kind: 'already-replayed', generation: 1 })
    expect(at.memory.waitingAt('crm')).toBe(0)
  })

  it('a copy that was replayed by itself is not made a second time by a repeat of the message', async () => {
    const at = open()
    await at.stripe(INVOICE)
    const texts = receive(at, '*')
    await spread(at, at.world, texts)
    await everywhere(at)
    await again(at, { to: 'billing' })
    at.records.set({ ...eventOf(at), status: 'queued' })
    await spread(at, at.world, texts)
    expect([at.memory.waitingAt('billing'), at.memory.waitingAt('crm')]).toEqual([1, 0])
  })

  it('an event that was forgotten and came again has copies of its new life', async () => {
    const at = await done()
    const event = eventOf(at)
    at.records.delete(event.fingerprint as Fingerprint)
    at.advance(1_000)
    await at.stripe(INVOICE)
    await spread(at)
    expect(copyOf(at, 'crm')).toMatchObject({ status: 'queued', generation: 1, firstSeenAt: eventOf(at).firstSeenAt })
  })
})

describe('an event whose copies could not all be made', () => {
  /** Copies for billing and for the worker, and none for the CRM: the event fails. */
  const spreadWithoutCrm = async (at: WholeRig) => {
    const claim: EventClaims['claim'] = async (record, ...more) =>
      record.to[0] === 'crm' ? { kind: 'unavailable', cause: 'away' } : at.world.claims.claim(record, ...more)
    const world = { ...at.world, claims: { ...at.world.claims, claim } }
    await at.deliver(fanOut(world), receive(at, '*'), { world, tries: 1 })
  }
  /** Fails with the copy for billing made and done, that for the worker made and waiting, and none for the CRM. */
  const halfWay = async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spreadWithoutCrm(at)
    await work(at, 'billing')
    expect([eventOf(at).status, copyOf(at, 'billing')?.status, copyOf(at, 'crm')]).toEqual([
      'failed',
      'done',
      undefined,
    ])
    return at
  }
  const expectOnlyCrm = (at: WholeRig) => {
    expect([at.memory.waitingAt('billing'), at.memory.waitingAt('crm'), at.memory.waitingAt('worker')]).toEqual([
      0, 1, 1,
    ])
    expect(copyOf(at, 'billing')).toMatchObject({ status: 'done', generation: 0, edition: 0 })
    expect(copyOf(at, 'crm')).toMatchObject({ status: 'queued', madeBy: 1 })
    expect(eventOf(at)).toMatchObject({ status: 'done', generation: 1, edition: 0 })
  }

  it('when its sender sends it again, what is done or on its way stays as it is, and the rest is made', async () => {
    const at = await halfWay()
    expect((await at.stripe(INVOICE)).status).toBe(202)
    expect(await spread(at)).toEqual([])
    expectOnlyCrm(at)
  })

  it('a redrive makes the rest, and is not refused because of what is on its way', async () => {
    const at = await halfWay()
    expect(await again(at, { onlyFailed: true })).toMatchObject({ kind: 'replayed' })
    expect(await spread(at)).toEqual([])
    expectOnlyCrm(at)
  })

  it('however long redrives take, what is done is not made again', async () => {
    const at = await halfWay()
    await work(at, 'worker')
    for (let redrives = 0; redrives < 4; redrives += 1) {
      at.advance(10 * 86_400_000)
      expect(await again(at, { onlyFailed: true })).toMatchObject({ kind: 'replayed' })
      await spreadWithoutCrm(at)
    }
    expect([at.memory.waitingAt('billing'), at.memory.waitingAt('worker')]).toEqual([0, 0])
  })

  it('one of its copies can be replayed by itself', async () => {
    const at = await halfWay()
    expect(await again(at, { to: 'billing' })).toMatchObject({ kind: 'replayed' })
    expect([at.memory.waitingAt('billing'), at.memory.waitingAt('crm')]).toEqual([1, 0])
    expect(copyOf(at, 'billing')).toMatchObject({ generation: 1, edition: 1 })
    expect(eventOf(at)).toMatchObject({ status: 'failed', generation: 0 })
  })

  it('a replay for a destination that has no copy yet is refused, and touches no other copy', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spreadWithoutCrm(at)
    const broken = () => {
      throw new Error('billing is down')
    }
    await at.deliver(broken, receive(at, 'billing'), { tries: 1 })
    at.advance(60_000)
    expect(await again(at, { to: 'crm' })).toEqual({
      kind: 'no-destination',
      id: eventOf(at).fingerprint,
      destination: 'crm',
    })
    expect(await again(at, { to: 'crm', onlyFailed: true })).toMatchObject({ kind: 'no-destination' })
    expect([eventOf(at).generation, at.memory.waitingAt('*'), copyOf(at, 'billing')?.status]).toEqual([0, 0, 'failed'])
  })

  it('a copy that was replayed by itself after its event failed is not handled again by a redrive of the event', async () => {
    const at = open()
    const keys: string[] = []
    const crm = () => work(at, 'crm', event => void keys.push(event.idempotencyKey))
    await at.stripe(INVOICE)
    await spread(at)
    for (const destination of ['billing', 'worker']) await work(at, destination)
    await crm()
    at.advance(60_000)
    expect(await again(at)).toMatchObject({ kind: 'replayed', generation: 1 })
    const beginAnew: CopyClaims['beginAnew'] = async (seen, ...more) =>
      seen.to[0] === 'crm' ? { kind: 'unavailable', cause: 'away' } : at.world.copies.beginAnew(seen, ...more)
    const world = { ...at.world, copies: { ...at.world.copies, beginAnew } }
    await at.deliver(fanOut(world), receive(at, '*'), { world, tries: 1 })
    for (const destination of ['billing', 'worker']) await work(at, destination)
    expect([eventOf(at).status, copyOf(at, 'crm')?.edition]).toEqual(['failed', 0])
    at.advance(60_000)
    expect(await again(at, { to: 'crm' })).toMatchObject({ kind: 'replayed', destinations: ['crm'] })
    expect(copyOf(at, 'crm')).toMatchObject({ generation: 1, edition: 1, madeBy: 1, madeIn: 1 })
    await crm()
    at.advance(60_000)
    expect(await again(at, { onlyFailed: true })).toMatchObject({ kind: 'replayed', generation: 2 })
    await spread(at)
    expect(at.memory.waitingAt('crm')).toBe(0)
    expect([keys.length, copyOf(at, 'crm')?.status, await seen(at)]).toEqual([2, 'done', 'done'])
  })

  it('a redrive of a copy that is done says what the copy is, and not what the event is', async () => {
    const answer = await again(await halfWay(), { onlyFailed: true, to: 'billing' })
    expect(answer).toMatchObject({ kind: 'not-failed', status: 'done', destinations: ['billing'] })
  })

  it('it can be replayed while one of its copies is on its way, and is shown as such', async () => {
    const at = await halfWay()
    const world = { ...at.world, ...at.memory.stores, lines: { async *lines() {} } } as unknown as Showing
    const shown = await show(world, { id: eventOf(at).fingerprint, now: at.world.now(), from: millis(0) })
    expect(shown).toMatchObject({ status: 'failed', replayable: true })
  })

  const billingAlone = open({ stripe: { provider: 'stripe', routes: [{ to: ['billing'] }] } }).world.sources

  it('if only a destination is left that is done with it, a redrive does not send it there again', async () => {
    const at = await halfWay()
    const answer = await again(at, { onlyFailed: true }, { ...at.world, sources: billingAlone })
    expect(answer).toMatchObject({ kind: 'not-failed', status: 'done', destinations: ['billing'] })
    expect(at.memory.waitingAt('billing')).toBe(0)
  })

  it('if only a destination is left that is done with it, a replay does not send it there again, unless it names it', async () => {
    const at = await halfWay()
    const world = { ...at.world, sources: billingAlone }
    for (const asked of [{}, { generation: 0 }]) {
      const answer = await again(at, asked, world)
      expect(answer).toMatchObject({ kind: 'not-failed', status: 'done', destinations: ['billing'] })
    }
    expect(at.memory.waitingAt('billing')).toBe(0)
    expect(await again(at, { to: 'billing' }, world)).toMatchObject({ kind: 'replayed', destinations: ['billing'] })
  })

  it('if only a destination is left where it failed, a replay gives it another try there', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spreadWithoutCrm(at)
    const broken = () => {
      throw new Error('billing is down')
    }
    await at.deliver(broken, receive(at, 'billing'), { tries: 1 })
    const answer = await again(at, { generation: 0 }, { ...at.world, sources: billingAlone })
    expect(answer).toMatchObject({ kind: 'replayed', destinations: ['billing'] })
    expect(copyOf(at, 'billing')).toMatchObject({ status: 'queued', generation: 1, edition: 0 })
  })

  it('if only a destination is left where it is at work, a replay is refused', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spreadWithoutCrm(at)
    expect(await again(at, {}, { ...at.world, sources: billingAlone })).toMatchObject({ kind: 'in-flight' })
    expect(at.memory.waitingAt('billing')).toBe(1)
  })

  it('a copy whose record was deleted and that was made again from its message is not begun anew by a redrive', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spread(at)
    await everywhere(at)
    at.advance(10_000)
    await again(at)
    await spreadWithoutCrm(at)
    at.records.delete(copyId(eventOf(at).fingerprint, 'billing'))
    await work(at, 'billing')
    at.advance(10_000)
    expect(await again(at, { onlyFailed: true })).toMatchObject({ kind: 'replayed', generation: 2 })
    await spread(at)
    expect([copyOf(at, 'billing')?.status, at.memory.waitingAt('billing')]).toEqual(['done', 0])
  })

  it('a replay after that begins each copy anew', async () => {
    const at = await halfWay()
    await at.stripe(INVOICE)
    await spread(at)
    await work(at, 'crm')
    await work(at, 'worker')
    expect(await again(at)).toMatchObject({ kind: 'replayed', generation: 2 })
    await spread(at)
    for (const destination of EVERYWHERE) expect(at.memory.waitingAt(destination)).toBe(1)
    expect(copyOf(at, 'billing')).toMatchObject({ generation: 1, edition: 1, madeBy: 2 })
  })
})

describe('a copy for a destination that was removed', () => {
  const withoutCrm = ({ world }: ReturnType<typeof open>) => {
    const isThere = async (to: readonly string[]) => !to.includes('crm')
    const send: Queue['send'] = async (message, trace, key) =>
      (await isThere(message.to ?? []))
        ? world.queue.send(message, trace, key)
        : { kind: 'refused', cause: 'x', nowhere: true }
    return { ...world, queue: { ...world.queue, leadsTo: isThere, send } }
  }

  it('a destination that the receiver knows a moment before the fan-out does gets its copy when the deployment is over', async () => {
    const at = open()
    await at.stripe(INVOICE)
    const texts = receive(at, '*')
    expect(await spread(at, withoutCrm(at), texts)).toHaveLength(1)
    expect([copyOf(at, 'crm')?.status, copyOf(at, 'billing')?.status]).toEqual(['claimed', 'queued'])
    at.advance(90_000)
    expect(await spread(at, at.world, texts)).toEqual([])
    expect([copyOf(at, 'crm')?.status, eventOf(at).status]).toEqual(['queued', 'done'])
  })

  it('an event of a source that the receiver knows a moment before the fan-out does is copied when the deployment is over', async () => {
    const at = open()
    await at.stripe(INVOICE)
    const texts = receive(at, '*')
    const before = { ...at.world, sources: new Map() }
    expect(await at.deliver(fanOut(before), texts)).toHaveLength(1)
    expect(eventOf(at).status).toBe('working')
    at.advance(90_000)
    expect(await spread(at, at.world, texts)).toEqual([])
    expect(eventOf(at).status).toBe('done')
  })

  it('an event whose source was removed fails', async () => {
    const at = open()
    await at.stripe(INVOICE)
    at.advance(15 * 60_000)
    expect(await at.deliver(fanOut({ ...at.world, sources: new Map() }), receive(at, '*'))).toEqual([])
    expect(eventOf(at)).toMatchObject({ status: 'failed', lastError: expect.stringMatching(/not in sources.ts/) })
  })

  it('the copy for a destination that was removed fails, the others go on, and redriving it is refused', async () => {
    const at = open()
    await at.stripe(INVOICE)
    const world = withoutCrm(at)
    at.advance(15 * 60_000)
    expect(await spread(at, world)).toEqual([])
    expect(eventOf(at)).toMatchObject({ status: 'done' })
    expect(copyOf(at, 'crm')).toMatchObject({
      status: 'failed',
      lastError: expect.stringMatching(/^Removed: .* no crm /),
    })
    expect(copyOf(at, 'billing')).toMatchObject({ status: 'queued' })
    const asked = { id: eventOf(at).fingerprint, onlyFailed: true, actor: 'me', reason: 'why not', job: null }
    expect(await replay(world, asked)).toMatchObject({ kind: 'no-destination', destination: 'crm' })
  })
})

describe('erasing an event with several destinations', () => {
  const EMAIL = 'ada@example.com'
  const failing = async (at: WholeRig) => {
    await at.stripe(INVOICE)
    await spread(at)
    const broken = () => {
      throw new Error(`no account of ${EMAIL}`)
    }
    await at.deliver(broken, receive(at, 'billing'), { tries: 1 })
    await work(at, 'crm')
    await work(at, 'worker')
    expect(copyOf(at, 'billing')?.lastError).toContain(EMAIL)
  }
  const erased = (at: WholeRig) =>
    erase(
      { ...at.world, ...at.memory.stores },
      { id: eventOf(at).fingerprint, actor: 'me', reason: 'ticket 4711', job: null },
    )
  const everything = (at: WholeRig) => JSON.stringify(at.memory.engine.items('hooklatch-events'))

  it('erasing takes the error of a copy that an earlier generation made for another destination', async () => {
    const at = open()
    await failing(at)
    const elsewhere = open({ stripe: { provider: 'stripe', routes: [{ to: ['crm', 'worker'] }] } }).world.sources
    const world = { ...at.world, sources: elsewhere }
    const asked = { id: eventOf(at).fingerprint, actor: 'me', reason: 'routed anew', job: null }
    expect(await replay(world, asked)).toMatchObject({ kind: 'replayed' })
    await spread(at, world)
    await work(at, 'crm')
    await work(at, 'worker')
    expect(await erased(at)).toMatchObject({ kind: 'erased', copies: 3 })
    expect(copyOf(at, 'billing')).toMatchObject({ status: 'failed', lastError: null, erasedAt: expect.any(Number) })
    expect(everything(at)).not.toContain(EMAIL)
  })

  it('a fan-out that was frozen until its event had failed and was erased sends it nowhere', async () => {
    const at = open()
    await at.stripe(INVOICE)
    const [text = ''] = receive(at, '*')
    const thaw = Promise.withResolvers<void>()
    const keep: BodyStore['keep'] = async (...kept) => {
      await thaw.promise
      return at.world.bodies.keep(...kept)
    }
    const frozen = { ...at.world, bodies: { ...at.world.bodies, keep } }
    await at.deliver(fanOut(frozen), [text], { world: frozen, remaining: 1_500 })
    at.advance(3_600_000)
    await at.deliver(fanOut({ ...at.world, sources: new Map() }), [text], { receiveCount: 2 })
    expect(await erased(at)).toMatchObject({ kind: 'erased' })
    thaw.resolve()
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(at.records.size).toBe(1)
    for (const destination of EVERYWHERE) expect(at.memory.waitingAt(destination)).toBe(0)
  })

  it('erasing takes what the audit of a replayed copy says of its error', async () => {
    const at = open()
    await failing(at)
    expect(await again(at, { onlyFailed: true })).toMatchObject({ kind: 'replayed' })
    await work(at, 'billing')
    expect(everything(at)).toContain(EMAIL)
    expect(await erased(at)).toMatchObject({ kind: 'erased' })
    expect(everything(at)).not.toContain(EMAIL)
  })

  /** The copy for the CRM was replayed by itself, and is remembered for longer than its event. */
  const orphaned = async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spread(at)
    await work(at, 'billing')
    await work(at, 'worker')
    const broken = () => {
      throw new Error(`no account of ${EMAIL}`)
    }
    await at.deliver(broken, receive(at, 'crm'), { tries: 1 })
    const { fingerprint, expiresAt } = eventOf(at)
    at.advance(6 * 86_400_000)
    expect(await again(at, { to: 'crm' })).toMatchObject({ kind: 'replayed' })
    await work(at, 'crm')
    at.advance((expiresAt + 1) * 1000 - at.world.now())
    const crm = copyId(fingerprint, 'crm')
    const act = { actor: 'me', reason: 'ticket 4711', job: null }
    const world = { ...at.world, ...at.memory.stores }
    expect(await world.records.read(fingerprint, at.world.now())).toBeUndefined()
    return { at, event: fingerprint, crm, world, act }
  }
  const bodiesLeft = (at: WholeRig) => at.memory.engine.items(RIG_NAMES.bodiesTable).filter(({ bytes }) => bytes)

  it.each(['crm', 'event'] as const)('what is left of a forgotten event is erased by the id of: %s', async by => {
    const { at, world, act, ...ids } = await orphaned()
    expect(bodiesLeft(at)).toHaveLength(1)
    expect(await erase(world, { id: ids[by], ...act })).toMatchObject({ kind: 'erased', bodies: 1 })
    expect(at.records.get(ids.crm)).toMatchObject({ status: 'done', erasedAt: expect.any(Number) })
    expect(bodiesLeft(at)).toEqual([])
    expect(JSON.stringify(at.memory.engine.items(RIG_NAMES.eventsTable).filter(({ of }) => of))).not.toContain(EMAIL)
    expect(await replay(world, { id: ids.crm, ...act })).toMatchObject({ kind: 'erased' })
    expect(await erase(world, { id: ids[by], ...act })).toMatchObject({ kind: 'already-erased' })
  })

  it('what is left of a forgotten event is found by the id of its sender, and by the beginning of its own', async () => {
    const { at, world, event, crm } = await orphaned()
    const sought = { now: at.world.now(), from: millis(0), copies: true }
    for (const id of ['evt_1', event, event.slice(0, 12), crm]) {
      expect(await find(world.records, { id, ...sought })).toMatchObject({ fingerprint: crm })
    }
    expect(await find(world.records, { id: 'evt_1', ...sought, copies: false })).toBeUndefined()
    await at.stripe(INVOICE)
    expect(await find(world.records, { id: 'evt_1', ...sought })).toMatchObject({ fingerprint: event })
  })

  it('an erasure of a source takes what is left of a forgotten event, and the dry run counts it', async () => {
    const { at, world, crm } = await orphaned()
    const before = at.world.now()
    expect(await planErase(world.records, { source: 'stripe', before }, before)).toMatchObject({ count: 1 })
    const desk = { ...world, actor: 'me' }
    const { id } = await startEraseJob(desk, { source: 'stripe', before, reason: 'retention', expected: 1, rate: 100 })
    expect(await replayMany(desk, id, { act: 'erase' })).toMatchObject({ kind: 'finished', job: { replayed: 1 } })
    expect(at.records.get(crm)?.erasedAt).toEqual(expect.any(Number))
    expect(bodiesLeft(at)).toEqual([])
  })

  it('an erasure of a source counts an event and its copies once', async () => {
    const at = open()
    await failing(at)
    at.advance(1_000)
    const desk = { ...at.world, ...at.memory.stores, actor: 'me' }
    const before = at.world.now()
    expect(await planErase(desk.records, { source: 'stripe', before }, before)).toMatchObject({ count: 1 })
    const { id } = await startEraseJob(desk, { source: 'stripe', before, reason: 'retention', expected: 1, rate: 100 })
    expect(await replayMany(desk, id, { act: 'erase' })).toMatchObject({ kind: 'finished', job: { replayed: 1 } })
    for (const each of at.records.values()) expect(each.erasedAt).toEqual(expect.any(Number))
  })

  it('a copy of a forgotten event that is on its way is not erased', async () => {
    const { at, world, act, crm } = await orphaned()
    at.advance(60_000)
    expect(await replay(world, { id: crm, ...act })).toMatchObject({ kind: 'replayed' })
    expect(await erase(world, { id: crm, ...act })).toMatchObject({ kind: 'in-flight', status: 'queued' })
    expect(bodiesLeft(at)).toHaveLength(1)
  })

  it('an event that comes anew after its last copy was erased reaches every destination with its body', async () => {
    const { at, world, act, crm } = await orphaned()
    expect(await erase(world, { id: crm, ...act })).toMatchObject({ kind: 'erased' })
    expect((await at.stripe(INVOICE)).status).toBe(202)
    await spread(at)
    const bodies: unknown[] = []
    await everywhere(at, async event => void bodies.push(await event.json()))
    expect(bodies).toEqual([INVOICE, INVOICE, INVOICE])
  })

  it('a copy of an earlier life is erased together with the event that came anew', async () => {
    const { at, world, act, crm, event } = await orphaned()
    expect((await at.stripe(INVOICE)).status).toBe(202)
    expect(await erase(world, { id: crm, ...act })).toMatchObject({ kind: 'in-flight', id: event })
    const elsewhere = open({ stripe: { provider: 'stripe', routes: [{ to: ['billing', 'worker'] }] } }).world.sources
    at.records.set({ ...eventOf(at), to: ['billing', 'worker'], status: 'done' })
    expect(await erase({ ...world, sources: elsewhere }, { id: crm, ...act })).toMatchObject({
      kind: 'erased',
      id: event,
    })
    expect(at.records.get(crm)?.erasedAt).toEqual(expect.any(Number))
    expect(at.records.get(event)?.erasedAt).toEqual(expect.any(Number))
  })

  it('an event that was erased, forgotten and sent anew reaches every destination with its body', async () => {
    const at = open()
    await at.stripe(INVOICE)
    // Its fan-out was away, so the body is kept for longer than the record.
    at.advance(11 * 86_400_000)
    await spread(at)
    await everywhere(at)
    const { expiresAt } = eventOf(at)
    expect(await erased(at)).toMatchObject({ kind: 'erased' })
    at.advance((expiresAt + 1) * 1000 - at.world.now())
    expect((await at.stripe(INVOICE)).status).toBe(202)
    await spread(at)
    const bodies: unknown[] = []
    await everywhere(at, async event => void bodies.push(await event.json()))
    expect(bodies).toEqual([INVOICE, INVOICE, INVOICE])
  })

  it('a body that an erased event brings again is forgotten with its record, and kept when the event comes anew', async () => {
    const at = open({ stripe: { provider: 'stripe', storeFirst: true } })
    const again = { ...INVOICE, pending_webhooks: 2 }
    await at.stripe(INVOICE)
    await work(at, 'worker')
    await erased(at)
    at.advance(eventOf(at).expiresAt * 1000 - at.world.now() - 86_400_000)
    expect((await at.stripe(again)).status).toBe(200)
    at.advance(86_400_000 + 1000)
    expect((await at.stripe(again)).status).toBe(202)
    const { fingerprint, bodySha256, bodyAt } = eventOf(at)
    const kept = await at.world.keptBodies.fetch(fingerprint, bodySha256, bodyAt ?? '', at.world.now())
    expect(JSON.parse(Buffer.from(kept?.bytes ?? []).toString())).toEqual(again)
  })

  it('a large body that an erased event brings again on the day it is forgotten is kept when the event comes anew', async () => {
    const at = open({ stripe: { ...SOURCES.stripe, provider: 'stripe', storeFirst: true, retain: '30d' } })
    const large = { ...INVOICE, noise: randomBytes(15_000).toString('hex') }
    await at.stripe(large)
    await spread(at)
    await everywhere(at)
    await erased(at)
    // The middle of the day, so all of this happens on one.
    const forgottenAt = eventOf(at).expiresAt * 1000
    expect(new Date(forgottenAt).getUTCHours()).toBe(12)
    at.advance(forgottenAt - at.world.now() - 3_600_000)
    expect((await at.stripe(large)).status).toBe(200)
    at.advance(2 * 3_600_000)
    expect((await at.stripe(large)).status).toBe(202)
    await spread(at)
    const bodies: unknown[] = []
    await everywhere(at, async event => void bodies.push(await event.json()))
    expect(bodies).toEqual([large, large, large])
  })

  it('a small event whose erased record was deleted reaches every destination with its body when it comes anew', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spread(at)
    await everywhere(at)
    await erased(at)
    at.records.delete(eventOf(at).fingerprint)
    at.advance(60_000)
    expect((await at.stripe(INVOICE)).status).toBe(202)
    await spread(at)
    const bodies: unknown[] = []
    await work(at, 'billing', async event => void bodies.push(await event.json()))
    expect(bodies).toEqual([INVOICE])
    const { fingerprint, bodySha256, bodyAt } = eventOf(at)
    expect(await at.world.keptBodies.fetch(fingerprint, bodySha256, bodyAt ?? '', at.world.now())).toBeDefined()
  })

  it('a second message of an erased event that becomes too old to be handled does not bring its body back', async () => {
    const at = open({ stripe: { provider: 'stripe' } })
    await at.stripe({ ...INVOICE, email: EMAIL, noise: randomBytes(15_000).toString('hex') })
    const [text = ''] = at.texts()
    const broken = () => {
      throw new Unprocessable('no')
    }
    const sentAt = at.world.now()
    await at.deliver(broken, [text], { sentAt })
    expect(await erased(at)).toMatchObject({ kind: 'erased', bodies: 2 })
    at.advance(12 * 86_400_000)
    expect(await at.deliver(broken, [text], { sentAt })).toEqual([])
    expect(eventOf(at)).toMatchObject({ status: 'failed', lastError: null, erasedAt: expect.any(Number) })
    const { objects } = at.memory.engine.aws
    const left = await objects.list('hooklatch-bodies', '')
    expect(left.map(({ size }) => size)).toEqual([1, 1])
  })

  it('erasing takes the bytes that were handed over by pointer, and an event that comes anew hands them over again', async () => {
    const at = open({ stripe: { provider: 'stripe', routes: [{ to: ['crm'] }] } })
    const large = { ...INVOICE, email: EMAIL, noise: randomBytes(800_000).toString('hex') }
    await at.stripe(large)
    const { objects } = at.memory.engine.aws
    const sent: string[] = []
    const keep = handedOverBodies({ objects }, { bodiesBucket: 'hooklatch-bodies' }, at.world.now)
    const hand = toQueue(
      { destination: 'crm', keep, send: async ({ text }) => void sent.push(text) },
      { queueUrl: 'memory://crm' },
    )
    await work(at, 'crm', hand)
    const { bucket, key } = JSON.parse(sent[0] ?? '{}').body
    const left = async () => Buffer.from((await objects.get(bucket, key))?.bytes ?? []).toString('latin1')
    expect(await left()).toContain(EMAIL)
    await erased(at)
    expect(await left()).not.toContain(EMAIL)
    // The same day, the same name: what is handed over is there all the same.
    at.records.delete(eventOf(at).fingerprint)
    at.advance(60_000)
    expect((await at.stripe(large)).status).toBe(202)
    await work(at, 'crm', hand)
    expect(JSON.parse(sent[1] ?? '{}').body).toMatchObject({ bucket, key })
    expect(await left()).toContain(EMAIL)
  })
})

describe('a copy and whoever may send to a queue', () => {
  it('a text that spells the name of a copy does not fail it, in the queue nor in the dead letters', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await spread(at)
    at.advance(60_000)
    const before = copyOf(at, 'crm')
    const text = `copy of ${eventOf(at).fingerprint} for crm`
    expect(await at.deliver(() => {}, [text], { receiveCount: MALFORMED_RECEIVES })).toEqual([])
    expect((await at.bury(text)).work).toBe('failed')
    expect(copyOf(at, 'crm')).toEqual(before)
    await work(at, 'crm')
    expect(copyOf(at, 'crm')?.status).toBe('done')
  })

  it('a text that spells the name of a copy before there is one does not keep it from its destination', async () => {
    const at = open()
    await at.stripe(INVOICE)
    await at.bury(`copy of ${eventOf(at).fingerprint} for crm`)
    await spread(at)
    expect(at.memory.waitingAt('crm')).toBe(1)
    await work(at, 'crm')
    expect(copyOf(at, 'crm')?.status).toBe('done')
  })

  it.each([
    ['another destination', 'crm'],
    ['the worker', 'worker'],
    ['the fan-out', 'Several'],
  ])(
    'the message of one copy is not handled in the queue of %s, and its own destination still gets it',
    async (_, destination) => {
      const at = open()
      await at.stripe(INVOICE)
      await spread(at)
      const [text = ''] = receive(at, 'billing')
      const handled: string[] = []
      const strange = (receiveCount: number) =>
        at.deliver(() => void handled.push('strange'), [text], { destination, receiveCount })
      expect(await strange(1)).toEqual(['m-0'])
      expect(await strange(MALFORMED_RECEIVES)).toEqual([])
      expect(copyOf(at, 'billing')?.status).toBe('queued')
      await at.deliver(() => void handled.push('billing'), [text])
      expect(handled).toEqual(['billing'])
    },
  )

  it('a message for several destinations is not handled in the queue of the worker', async () => {
    const at = open()
    await at.stripe(INVOICE)
    const texts = receive(at, '*')
    const handled: unknown[] = []
    await at.deliver(event => void handled.push(event.id), texts, {
      destination: 'worker',
      receiveCount: MALFORMED_RECEIVES,
    })
    expect(handled).toEqual([])
    expect(eventOf(at).status).toBe('queued')
  })
})

describe('copies of an event whose record is gone', () => {
  /** As TTL, a restore or an operator would take it away. */
  const forget = (at: WholeRig) => {
    at.memory.engine.dynamo.updateItem({
      TableName: RIG_NAMES.eventsTable,
      Key: { fingerprint: eventOf(at).fingerprint },
      UpdateExpression: 'SET expiresAt = :past',
      ExpressionAttributeValues: { ':past': 1 },
    })
    at.advance(60_000)
  }

  it('what the message of the event makes again is the same event: its copies that are done are left alone', async () => {
    const at = open()
    const { secrets } = at.world
    // Some time passes between the delivery and its claim.
    const fingerprintKey: typeof secrets.fingerprintKey = () => {
      at.advance(3)
      return secrets.fingerprintKey()
    }
    Object.assign(at.world, { secrets: { ...secrets, fingerprintKey } })
    await at.stripe(INVOICE)
    const texts = receive(at, '*')
    const finish: typeof at.world.work.finish = async () => ({ kind: 'unavailable', cause: 'no answer' })
    await spread(at, { ...at.world, work: { ...at.world.work, finish } }, texts)
    await everywhere(at)
    forget(at)
    await spread(at, at.world, texts)
    for (const destination of EVERYWHERE) {
      expect(copyOf(at, destination)).toMatchObject({ status: 'done', generation: 0, edition: 0 })
      expect(at.memory.waitingAt(destination)).toBe(0)
    }
  })

  it.each([
    [1, ['billing']],
    [2, ['billing', 'crm']],
  ])(
    'an event that is sent again after its record was deleted has the idempotency keys that it had: %i destinations',
    async (_, to) => {
      const at = open({ stripe: { provider: 'stripe', routes: [{ to }] } })
      const keys: string[] = []
      const go = async () => {
        await at.stripe(INVOICE)
        if (to.length > 1) await spread(at)
        for (const destination of to) await work(at, destination, event => void keys.push(event.idempotencyKey))
      }
      await go()
      forget(at)
      await go()
      expect(keys).toHaveLength(2 * to.length)
      expect(keys.slice(to.length)).toEqual(keys.slice(0, to.length))
    },
  )
})
