import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bury } from '../../functions/bury/bury.ts'
import { Unprocessable } from '../../functions/domain/event.ts'
import type { EventMoves, Queue } from '../../functions/domain/ports.ts'
import type { RecoveryStore } from '../../functions/domain/recovery.ts'
import { fanOut } from '../../functions/fan-out/fan-out.ts'
import { replay } from '../../functions/operate/replay.ts'
import { recover } from '../../functions/recover/recover.ts'
import { RIG_NAMES } from '../support/memory-rig.ts'
import { GITHUB_SECRET, receiveRig } from '../support/receive-rig.ts'
import { type WholeRig, wholeRig } from '../support/whole-rig.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const push = (delivery: string) => {
  const body = JSON.stringify({ ref: 'refs/heads/main', delivery })
  const signature = createHmac('sha256', GITHUB_SECRET).update(body).digest('hex')
  return {
    source: 'github',
    body,
    headers: { 'x-github-event': 'push', 'x-github-delivery': delivery, 'x-hub-signature-256': `sha256=${signature}` },
  }
}

const dies: Queue['send'] = () => new Promise(() => {})

/** A GitHub delivery whose receiver dies after its claim, before its message is sent. */
const abandoned = async (at: WholeRig, ...deliveries: string[]): Promise<void> => {
  const dying = receiveRig({ world: { ...at.world, queue: { ...at.world.queue, send: dies } } })
  for (const delivery of deliveries) void dying.post(push(delivery))
  await new Promise(resolve => setTimeout(resolve, 5))
}

const statuses = (at: WholeRig) => [...at.records.values()].map(({ status }) => status)

describe('an event whose receiver died after the claim', () => {
  it('an abandoned event is forwarded from its stored body, with no help from a sender that never retries', async () => {
    const at = wholeRig()
    await abandoned(at, 'd-1')
    expect(statuses(at)).toEqual(['claimed'])
    at.advance(3 * MINUTE)
    expect(await at.recover()).toMatchObject({ recovered: 1, waiting: 0, lag: 0 })
    expect(statuses(at)).toEqual(['queued'])
    expect(at.messages()).toMatchObject([
      { eventId: 'd-1', type: 'push', generation: 0, source: 'github', headers: { 'x-github-event': 'push' } },
    ])
    const bodies: string[] = []
    await at.deliver(async event => void bodies.push(await event.text()), at.texts())
    expect(bodies).toEqual([push('d-1').body])
  })

  it('an abandoned event of a source that retains nothing is forwarded after an outage of a day', async () => {
    const at = wholeRig({ sources: { github: { provider: 'github', retain: 'none' } } })
    await abandoned(at, 'd-1')
    at.advance(25 * 60 * MINUTE)
    expect(await at.recover()).toMatchObject({ recovered: 1, waiting: 0 })
    expect(statuses(at)).toEqual(['queued'])
  })

  it('an abandoned event is left alone while its lease, and the two minutes the index may take, have not passed', async () => {
    const at = wholeRig()
    await abandoned(at, 'd-1')
    at.advance(2 * MINUTE)
    expect(await at.recover()).toMatchObject({ seen: 0, recovered: 0 })
  })

  it('an abandoned event is recovered once by two recoveries that run at the same time', async () => {
    const at = wholeRig()
    await abandoned(at, 'd-1', 'd-2', 'd-3')
    at.advance(3 * MINUTE)
    await Promise.all([at.recover(), at.recover()])
    expect(at.messages()).toHaveLength(3)
    expect(statuses(at)).toEqual(['queued', 'queued', 'queued'])
  })

  it('an abandoned event whose body is not stored waits for its sender, and is counted', async () => {
    const at = wholeRig()
    const dying = receiveRig({ world: { ...at.world, queue: { ...at.world.queue, send: dies } } })
    void dying.stripe({ id: 'evt_1' })
    await new Promise(setImmediate)
    at.advance(3 * MINUTE)
    expect(await at.recover()).toMatchObject({ waiting: 1, recovered: 0 })
    expect((await at.stripe({ id: 'evt_1' })).status).toBe(202)
  })

  it('an abandoned event is found again when recovery itself dies after taking over', async () => {
    const at = wholeRig()
    await abandoned(at, 'd-1')
    at.advance(3 * MINUTE)
    const { recover } = await import('../../functions/recover/recover.ts')
    void recover({ ...at.recoverer, queue: { ...at.world.queue, send: dies } })
    await new Promise(resolve => setTimeout(resolve, 5))
    at.advance(3 * MINUTE)
    expect(await at.recover()).toMatchObject({ recovered: 1 })
    expect(statuses(at)).toEqual(['queued'])
  })

  it('an abandoned event is found again when the queue did not answer', async () => {
    const at = wholeRig()
    await abandoned(at, 'd-1')
    at.advance(3 * MINUTE)
    const { recover } = await import('../../functions/recover/recover.ts')
    const send: Queue['send'] = async () => ({ kind: 'unavailable', cause: 'x' })
    expect(await recover({ ...at.recoverer, queue: { ...at.world.queue, send } })).toMatchObject({
      unavailable: 1,
      recovered: 0,
      cause: 'queue: x',
    })
    at.advance(3 * MINUTE)
    expect(await at.recover()).toMatchObject({ recovered: 1 })
  })

  it('an abandoned event that reached the index late is caught by the pass an hour later', async () => {
    const at = wholeRig()
    await abandoned(at, 'd-1')
    const { recovery } = at.recoverer
    const scan: RecoveryStore['scan'] = async (after, until, limit) =>
      until < at.world.now() - 10 * MINUTE
        ? recovery.scan(after, until, limit)
        : { records: [], reached: `${new Date(until).toISOString()}#` }
    const hidden = { ...at.recoverer, recovery: { ...recovery, scan } }
    const { recover } = await import('../../functions/recover/recover.ts')
    at.advance(3 * MINUTE)
    await recover(hidden)
    at.advance(70 * MINUTE)
    expect(await at.recover()).toMatchObject({ recovered: 1 })
  })

  it('an abandoned event on which the store fails does not stop the walk: the next run sees it again', async () => {
    const at = wholeRig()
    await abandoned(at, 'd-1', 'd-2')
    at.advance(3 * MINUTE)
    const { recover } = await import('../../functions/recover/recover.ts')
    let first = true
    const takeOver: EventMoves['takeOver'] = async (...call) => {
      if (!first) return at.world.events.takeOver(...call)
      first = false
      return { kind: 'unavailable', cause: 'x' }
    }
    expect(await recover({ ...at.recoverer, events: { ...at.world.events, takeOver } })).toMatchObject({
      recovered: 1,
      unavailable: 1,
      cause: 'event-store: x',
    })
    expect(await at.recover()).toMatchObject({ recovered: 1 })
    expect(statuses(at)).toEqual(['queued', 'queued'])
  })

  it('an event whose claim was written an hour late is finished: it waits where recovery still comes by', async () => {
    const at = wholeRig()
    await at.recover()
    const claim: typeof at.world.claims.claim = async (...given) => {
      // Frozen before the repeat of a write whose connection broke.
      for (let times = 0; times < 16; times++) {
        at.advance(5 * MINUTE)
        await at.recover()
      }
      return at.world.claims.claim(...given)
    }
    const frozen = receiveRig({ world: { ...at.world, claims: { ...at.world.claims, claim } } })
    expect((await frozen.post(push('d-1'))).status).toBe(503)
    expect(statuses(at)).toEqual(['claimed'])
    for (let times = 0; times < 5; times++) {
      at.advance(MINUTE)
      await at.recover()
    }
    expect(statuses(at)).toEqual(['queued'])
  })
})

describe('an event whose message is gone', () => {
  it.each([
    { size: 'small', bytes: 10, buried: 'after recovery has looked for its body' },
    { size: 'large', bytes: 20_000, buried: 'before recovery has looked for its body' },
  ])('a $size body of a dead letter that is buried $buried stays in its record', async ({ size, bytes }) => {
    const at = wholeRig({ sources: { stripe: { provider: 'stripe' } } })
    const filler = randomBytes(bytes).toString('hex')
    expect((await at.stripe({ id: 'evt_1', type: 'invoice.paid', filler })).status).toBe(202)
    const [text = ''] = at.texts()
    at.advance(14 * DAY + 120 * MINUTE)
    let keptAt: unknown
    const buryIt = async () => {
      expect(await bury(at.world, { text, messageId: 'dead-1' }, 16)).toMatchObject({ work: 'failed' })
      keptAt = [...at.records.values()][0]?.bodyAt
    }
    const fetch: typeof at.world.keptBodies.fetch = async (...given) => {
      if (size === 'large') await buryIt()
      const found = await at.world.keptBodies.fetch(...given)
      if (size === 'small') await buryIt()
      return found
    }
    await recover({ ...at.recoverer, keptBodies: { ...at.world.keptBodies, fetch } })
    const [record] = at.records.values()
    expect(keptAt).toMatch(/^(dynamodb|s3:)/)
    expect(record).toMatchObject({ status: 'failed', bodyAt: keptAt })
    const act = { actor: 'ada', reason: 'fixed', job: null, onlyFailed: true }
    expect(await replay(at.world, { id: record?.fingerprint as never, ...act })).toMatchObject({ kind: 'replayed' })
  })

  it.each(['queued', 'working'] as const)(
    'an event that is still %s after the queue has dropped its message is failed, and counted as lost',
    async status => {
      const at = wholeRig({ sources: { stripe: { provider: 'stripe', retain: '30d' } } })
      await at.stripe({ id: 'evt_1' })
      for (const record of at.records.values()) at.records.set({ ...record, status })
      at.advance(14 * 86_400_000)
      expect(await at.recover()).toMatchObject({ lost: 0 })
      at.advance(3 * 60 * MINUTE)
      expect(await at.recover()).toMatchObject({ lost: 1 })
      expect([...at.records.values()]).toMatchObject([
        { status: 'failed', lastError: expect.stringContaining('Lost'), bodyAt: 'dynamodb' },
      ])
    },
  )

  it('and that was acknowledged, but never settled, is failed, and counted as lost', async () => {
    const at = wholeRig({ sources: { stripe: { provider: 'stripe', retain: 'none' } } })
    const settle: EventMoves['settle'] = async () => ({ kind: 'unavailable', cause: 'x' })
    const unsettled = receiveRig({ world: { ...at.world, events: { ...at.world.events, settle } } })
    expect((await unsettled.stripe({ id: 'evt_1' })).status).toBe(202)
    at.advance(14 * 86_400_000 + 3 * 60 * MINUTE)
    expect(await at.recover()).toMatchObject({ lost: 1 })
    expect([...at.records.values()]).toMatchObject([
      { status: 'failed', lastError: expect.stringContaining('Lost'), bodyAt: null },
    ])
  })

  it('and whose source ignores resends stays a claim that its sender can take over, and is counted as lost', async () => {
    const at = wholeRig({ sources: { stripe: { provider: 'stripe', resend: 'ignore' } } })
    const dying = receiveRig({ world: { ...at.world, queue: { ...at.world.queue, send: dies } } })
    void dying.stripe({ id: 'evt_1' })
    await new Promise(setImmediate)
    at.advance(14 * 86_400_000 + 3 * 60 * MINUTE)
    expect(await at.recover()).toMatchObject({ lost: 1 })
    expect((await at.stripe({ id: 'evt_1' })).status).toBe(202)
  })

  it('and that is a copy, which no sender can take over, is failed whatever resends do', async () => {
    const at = wholeRig({
      sources: { stripe: { provider: 'stripe', resend: 'ignore', routes: [{ to: ['billing', 'worker'] }] } },
      destinations: { billing: { worker: 'billing.ts' } },
    })
    await at.stripe({ id: 'evt_1' })
    const world = { ...at.world, queue: { ...at.world.queue, send: dies } }
    void at.deliver(fanOut(world), at.texts(), { world })
    await new Promise(resolve => setTimeout(resolve, 5))
    at.advance(14 * DAY + 3 * 60 * MINUTE)
    await at.recover()
    const copies = [...at.records.values()].filter(({ copyOf }) => copyOf !== null)
    expect(copies.map(({ status }) => status)).toEqual(['failed', 'failed'])
  })

  it('says that it has no body if that was not kept so long', async () => {
    const at = wholeRig()
    await at.stripe({ id: 'evt_1' })
    at.advance(14 * 86_400_000 + 3 * 60 * MINUTE)
    expect(await at.recover()).toMatchObject({ lost: 1 })
    expect([...at.records.values()]).toMatchObject([{ status: 'failed', bodyAt: null }])
  })

  it('an event that is delivered again after recovery has read its record is not marked lost, however slow recovery is', async () => {
    const at = wholeRig()
    await at.stripe({ id: 'evt_1' })
    const [queued] = at.records.values()
    if (!queued) throw new Error('there is no record')
    // Its receiver died before it could settle, and the queue has forgotten the message.
    at.records.set({ ...queued, status: 'claimed', bodyAt: null })
    at.advance(14 * 86_400_000 + 3 * 60 * MINUTE)
    const scan: RecoveryStore['scan'] = async (...given) => {
      const stretch = await at.recoverer.recovery.scan(...given)
      if (stretch.records.length > 0) {
        expect(await at.stripe({ id: 'evt_1' })).toMatchObject({ status: 202 })
        at.advance(MINUTE)
      }
      return stretch
    }
    const { recover } = await import('../../functions/recover/recover.ts')
    const far = `${new Date(at.world.now() - 20 * 86_400_000).toISOString()}#`
    await at.recoverer.recovery.moveCursor('lost', far)
    for (const pass of ['abandoned', 'late'] as const) {
      await at.recoverer.recovery.moveCursor(pass, `${new Date(at.world.now() + 86_400_000).toISOString()}#`)
    }
    expect(await recover({ ...at.recoverer, recovery: { ...at.recoverer.recovery, scan } })).toMatchObject({ lost: 0 })
    expect(statuses(at)).toEqual(['queued'])
  })

  it('an event that fails with its body kept while recovery is slow can still be replayed', async () => {
    const at = wholeRig()
    await at.stripe({ id: 'evt_1' })
    const [queued] = at.records.values()
    if (!queued) throw new Error('there is no record')
    at.records.set({ ...queued, status: 'claimed', bodyAt: null })
    at.advance(14 * DAY + 180 * MINUTE)
    const before = at.texts().length
    const fails = () => {
      throw new Unprocessable('no')
    }
    const { recovery } = at.recoverer
    const scan: RecoveryStore['scan'] = async (...given) => {
      const stretch = await recovery.scan(...given)
      if (stretch.records.length > 0) {
        await at.stripe({ id: 'evt_1' })
        await at.deliver(fails, at.texts().slice(before))
        at.advance(MINUTE)
      }
      return stretch
    }
    await recovery.moveCursor('lost', `${new Date(at.world.now() - 20 * DAY).toISOString()}#`)
    for (const pass of ['abandoned', 'late'] as const)
      await recovery.moveCursor(pass, `${new Date(at.world.now() + DAY).toISOString()}#`)
    await recover({ ...at.recoverer, recovery: { ...recovery, scan } })
    const [failed] = at.records.values()
    expect(failed).toMatchObject({ status: 'failed', lastError: 'Unprocessable: no' })
    expect(failed?.bodyAt).not.toBeNull()
  })

  it('is not lost when an index that lags shows it where it stood before its replay', async () => {
    const at = wholeRig()
    await at.stripe({ id: 'evt_1' })
    await at.deliver(() => {}, at.texts())
    const [done] = [...at.records.values()]
    if (!done) throw new Error('there is no record')
    at.advance(14 * 86_400_000 + 3 * 60 * MINUTE)
    const replayed = { ...done, status: 'queued', generation: 1, claimedAt: at.world.now() } as const
    at.records.set(replayed)
    at.advance(MINUTE)
    const scan: RecoveryStore['scan'] = async (_after, until) => ({
      records: [replayed],
      reached: `${new Date(until).toISOString()}#`,
    })
    const { recover } = await import('../../functions/recover/recover.ts')
    const tally = await recover({ ...at.recoverer, recovery: { ...at.recoverer.recovery, scan } })
    expect(tally).toMatchObject({ lost: 0 })
    expect(statuses(at)).toEqual(['queued'])
  })

  it('an event that is done is left alone by recovery', async () => {
    const at = wholeRig()
    await at.stripe({ id: 'evt_1' })
    await at.deliver(() => {}, at.texts())
    at.advance(15 * 86_400_000)
    expect(await at.recover()).toMatchObject({ lost: 0 })
    expect(statuses(at)).toEqual(['done'])
  })
})

describe('a body that cannot be read', () => {
  const unread = (at: WholeRig, denied: (delivery: string) => boolean, name = 'AccessDenied') => ({
    ...at.recoverer,
    keptBodies: {
      fetch: async (...call: Parameters<WholeRig['world']['keptBodies']['fetch']>) => {
        const body = await at.world.keptBodies.fetch(...call)
        if (denied(body?.eventId ?? '')) throw Object.assign(new Error('no'), { name })
        return body
      },
    },
  })

  it('does not hold up the others: its event is looked at again later, with the reason in its record', async () => {
    const at = wholeRig()
    await abandoned(at, 'd-1', 'd-2', 'd-3')
    at.advance(3 * MINUTE)
    const { recover } = await import('../../functions/recover/recover.ts')
    const denied = unread(at, delivery => delivery === 'd-2')
    expect(await recover(denied)).toMatchObject({ recovered: 2, unreadable: 1, unavailable: 0, lag: 0 })
    const parked = [...at.records.values()].find(({ status }) => status === 'claimed')
    expect(parked).toMatchObject({
      eventId: 'd-2',
      lastError: 'Unreadable: AccessDenied: no',
      claimedAt: at.world.now(),
    })
    await abandoned(at, 'd-4')
    at.advance(3 * MINUTE)
    expect(await recover(denied)).toMatchObject({ recovered: 1, unreadable: 1 })
    at.advance(3 * MINUTE)
    expect(await at.recover()).toMatchObject({ recovered: 1, unreadable: 0 })
    expect(statuses(at)).toEqual(['queued', 'queued', 'queued', 'queued'])
  })

  it('does not hold up recovery if it is the only one', async () => {
    const at = wholeRig()
    await abandoned(at, 'd-1')
    at.advance(3 * MINUTE)
    const { recover } = await import('../../functions/recover/recover.ts')
    expect(await recover(unread(at, () => true, 'KMSInvalidStateException'))).toMatchObject({ unreadable: 1, lag: 0 })
  })

  it('leaves its event to its sender, whose next try takes over at once', async () => {
    const at = wholeRig()
    await abandoned(at, 'd-1')
    at.advance(3 * MINUTE)
    const { recover } = await import('../../functions/recover/recover.ts')
    await recover(unread(at, () => true))
    expect((await at.post(push('d-1'))).status).toBe(202)
    expect(statuses(at)).toEqual(['queued'])
  })

  it('is a damaged one: its event is set aside at once, however many there are', async () => {
    const at = wholeRig()
    await abandoned(at, 'd-1', 'd-2')
    const { bodiesTable: TableName } = RIG_NAMES
    for (const item of at.memory.engine.items(TableName)) {
      at.memory.engine.dynamo.putItem({ TableName, Item: { ...item, bytes: Buffer.from('x') } })
    }
    at.advance(3 * MINUTE)
    expect(await at.recover()).toMatchObject({ unreadable: 2, waiting: 0, unavailable: 0 })
    expect([...at.records.values()].map(({ lastError }) => lastError?.slice(0, 23))).toEqual([
      'Unreadable: BodyDamaged',
      'Unreadable: BodyDamaged',
    ])
  })

  it('like all the others of its stretch is an outage: nothing moves until it is over', async () => {
    const at = wholeRig()
    await abandoned(at, 'd-1', 'd-2', 'd-3')
    at.advance(3 * MINUTE)
    const before = [...at.records.values()]
    const { recover } = await import('../../functions/recover/recover.ts')
    expect(await recover(unread(at, () => true))).toMatchObject({ unreadable: 0, unavailable: 3 })
    expect([...at.records.values()]).toEqual(before)
    expect(await at.recover()).toMatchObject({ recovered: 3 })
  })

  it('holds nobody up for longer than an hour, even if it looks like an outage', async () => {
    const at = wholeRig()
    await abandoned(at, 'd-1', 'd-2')
    at.advance(3 * MINUTE)
    const { recover } = await import('../../functions/recover/recover.ts')
    const denied = unread(at, () => true)
    await recover(denied)
    at.advance(61 * MINUTE)
    expect(await recover(denied)).toMatchObject({ unreadable: 2, unavailable: 0, lag: 0 })
  })
})

describe('a healthy system', () => {
  it('the pass an hour later notes the days on which events came, so a listing need not ask for the others', async () => {
    const at = wholeRig()
    const dayOf = (): string => new Date(at.world.now()).toISOString().slice(0, 10)
    await at.recover()
    const days: string[] = []
    for (const id of ['evt_1', 'evt_2']) {
      at.advance(5 * DAY)
      days.push(dayOf())
      await at.stripe({ id })
      at.advance(90 * MINUTE)
      await at.recover()
    }
    const walked = await at.recoverer.recovery.cursor('late')
    expect(walked?.days).toEqual({ since: expect.stringMatching(/^2026-11-0/), days })
  })

  it('a healthy system costs recovery a look, and no write to any event', async () => {
    const at = wholeRig()
    for (let index = 0; index < 20; index++) await at.stripe({ id: `evt_${index}` })
    const before = structuredClone([...at.records.values()])
    at.advance(3 * MINUTE)
    expect(await at.recover()).toMatchObject({ seen: 20, recovered: 0, waiting: 0 })
    expect([...at.records.values()]).toEqual(before)
    at.advance(MINUTE)
    expect(await at.recover()).toMatchObject({ seen: 0 })
  })
})
