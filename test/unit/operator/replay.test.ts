import { describe, expect, it } from 'vitest'
import type { Fingerprint } from '../../../functions/domain/brands.ts'
import { ignore } from '../../../functions/domain/event.ts'
import type { Sources } from '../../../functions/domain/source.ts'
import { type Replaying, replay } from '../../../functions/operate/replay.ts'
import { wholeRig } from '../../support/whole-rig.ts'

const HANDLES = async () => {}
const FAILS = async () => {
  throw new Error('no')
}

const setUp = async (sources?: Sources) => {
  const at = wholeRig(sources ? { sources } : {})
  const world: Replaying = at.world
  const { body } = await at.stripe({ id: 'evt_1', object: 'event', type: 'invoice.paid' })
  const id = body.id as Fingerprint
  const ask = (fields: object = {}) => replay(world, { id, actor: 'ada', reason: 'fixed', job: null, ...fields })
  const work = async (handler = HANDLES) => at.deliver(handler, at.texts().slice(-1))
  const stored = async () => world.records.read(id, world.now())
  return { at, world, id, ask, work, stored }
}

describe('a replay', () => {
  it('a replay of a done event puts the whole event on the queue again, in its next generation and edition', async () => {
    const { at, id, ask, work, stored } = await setUp()
    await work()
    expect(await ask()).toEqual({ kind: 'replayed', id, generation: 1, queued: true })
    const [first, second] = at.messages()
    expect(second).toEqual({ ...first, generation: 1, edition: 1, expiresAt: second?.expiresAt })
    expect(await stored()).toMatchObject({ status: 'queued', generation: 1 })
    await work()
    expect(await stored()).toMatchObject({ status: 'done', generation: 1, edition: 1 })
  })

  it('a replay of a failed event keeps its idempotency key', async () => {
    const { at, ask, stored } = await setUp()
    at.advance(20_000)
    await at.bury(at.texts()[0] ?? '')
    expect(await stored()).toMatchObject({ status: 'failed' })
    expect(await ask({ onlyFailed: true })).toMatchObject({ kind: 'replayed', generation: 1 })
    expect(at.messages().at(-1)).toMatchObject({ generation: 1, edition: 0 })
  })

  it('a replay of an ignored event keeps its idempotency key, and forgets why it was ignored', async () => {
    const { at, id, ask, stored } = await setUp()
    await at.deliver(() => ignore('not one of ours'), at.texts())
    expect(await ask({ onlyFailed: true })).toEqual({ kind: 'not-failed', id, status: 'ignored' })
    expect(await ask()).toMatchObject({ kind: 'replayed', generation: 1 })
    expect(at.messages().at(-1)).toMatchObject({ generation: 1, edition: 0 })
    expect(await stored()).toMatchObject({ status: 'queued', ignoredBecause: null })
  })

  it('a replay is refused while the event is queued or working', async () => {
    const { id, ask, work } = await setUp()
    expect(await ask()).toEqual({ kind: 'in-flight', id, status: 'queued' })
    await work(FAILS)
    expect(await ask()).toEqual({ kind: 'in-flight', id, status: 'working' })
  })

  it('a replay of a claim that nobody finished is its next generation, and its old message is then superseded', async () => {
    const { at, id, ask, work, stored } = await setUp()
    const [record] = at.records.values()
    if (!record) throw new Error('there is no record')
    at.records.set({ ...record, status: 'claimed' })
    expect(await ask()).toEqual({ kind: 'in-flight', id, status: 'claimed' })
    at.advance(15_000)
    expect(await ask({ onlyFailed: true })).toEqual({ kind: 'not-failed', id, status: 'claimed' })
    expect(await ask()).toEqual({ kind: 'replayed', id, generation: 1, queued: true })
    expect(at.messages().at(-1)).toMatchObject({ generation: 1, edition: 0 })
    expect(await at.world.replays.audits(id, [1])).toMatchObject([{ was: 'claimed', actor: 'ada' }])
    expect(await at.deliver(FAILS, at.texts().slice(0, 1))).toEqual([])
    await work()
    expect(await stored()).toMatchObject({ status: 'done', generation: 1, attempts: 1 })
  })

  it('a replay of an event that never came, or has expired, is answered unknown', async () => {
    const { at, ask, work } = await setUp()
    await work()
    expect(await ask({ id: 'f'.repeat(64) })).toEqual({ kind: 'unknown' })
    at.advance(400 * 86_400_000)
    expect(await ask()).toEqual({ kind: 'unknown' })
  })

  it('a replay without a kept body is refused and writes nothing', async () => {
    const { world, id, ask, work, stored } = await setUp({ stripe: { provider: 'stripe', retain: 'none' } })
    await work()
    const before = await stored()
    expect(await ask()).toEqual({ kind: 'no-body', id })
    expect(await stored()).toEqual(before)
    expect(await world.replays.audits(id, [1])).toEqual([])
  })

  it('a replay of an event whose source is gone names the source', async () => {
    const { world, id, work } = await setUp()
    await work()
    const answer = await replay({ ...world, sources: new Map() }, { id, actor: 'ada', reason: 'fixed', job: null })
    expect(answer).toEqual({ kind: 'no-source', id, source: 'stripe' })
  })

  it('a redrive of a done event is refused', async () => {
    const { id, ask, work } = await setUp()
    await work()
    expect(await ask({ onlyFailed: true })).toEqual({ kind: 'not-failed', id, status: 'done' })
  })
})

describe('asked for twice', () => {
  it('two operators who replay an event at once make one replay, and the second is told who was first', async () => {
    const { at, ask, work } = await setUp()
    await work()
    const answers = await Promise.all([ask(), ask({ actor: 'bob' }), ask({ actor: 'cyd' })])
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['already-replayed', 'already-replayed', 'replayed'])
    expect(answers.filter(answer => answer.kind === 'already-replayed')[0]).toMatchObject({ by: 'ada', generation: 1 })
    expect(at.messages()).toHaveLength(2)
  })

  it('a second replay within seconds is not run even if the first is done by then, and a later one is', async () => {
    const { at, ask, work } = await setUp()
    await work()
    await ask()
    await work()
    at.advance(2_000)
    expect(await ask()).toMatchObject({ kind: 'already-replayed', by: 'ada', generation: 1 })
    at.advance(2_000)
    expect(await ask()).toMatchObject({ kind: 'replayed', generation: 2 })
  })

  it('a replay waits for a write that is in its way, and gives up after the fifth try', async () => {
    const { world, id, work } = await setUp()
    await work()
    const pauses: number[] = []
    const busy = (times: number): Replaying => {
      let left = times
      const begin: Replaying['replays']['begin'] = async (...given) =>
        left-- > 0 ? { kind: 'contended' } : world.replays.begin(...given)
      return { ...world, pause: async millis => void pauses.push(millis), replays: { ...world.replays, begin } }
    }
    const asked = { id, actor: 'ada', reason: 'fixed', job: null }
    expect(await replay(busy(5), asked)).toMatchObject({ kind: 'unavailable' })
    expect(pauses).toHaveLength(4)
    expect(await replay(busy(4), asked)).toMatchObject({ kind: 'replayed', generation: 1 })
    expect(pauses).toHaveLength(8)
  })

  it('two replays of the generation that was shown are one, however late the second comes', async () => {
    const { at, ask, work } = await setUp()
    await work()
    await ask({ generation: 0 })
    await work()
    at.advance(3_600_000)
    expect(await ask({ generation: 0 })).toMatchObject({ kind: 'already-replayed', by: 'ada' })
    expect(await ask({ generation: 1 })).toMatchObject({ kind: 'replayed', generation: 2 })
  })
})

describe('whatever fails on the way', () => {
  it('recovery finishes a replay that failed after it began: its reason and actor are recorded, and the event arrives once', async () => {
    const { at, world, id, work, stored } = await setUp()
    await work()
    const dies: Replaying = {
      ...world,
      queue: { ...world.queue, send: () => Promise.reject(new Error('killed')) },
    }
    const answer = await replay(dies, { id, actor: 'ada', reason: 'fixed', job: null })
    expect(answer).toEqual({
      kind: 'replayed',
      id,
      generation: 1,
      queued: false,
      cause: expect.stringContaining('killed'),
    })
    expect(await stored()).toMatchObject({ status: 'claimed', generation: 1 })
    expect(await world.replays.audits(id, [1])).toMatchObject([{ actor: 'ada', reason: 'fixed', was: 'done' }])
    at.advance(10 * 60_000)
    expect(await at.recover()).toMatchObject({ recovered: 1 })
    expect(at.messages().map(({ generation }) => generation)).toEqual([0, 1])
    await work()
    expect(await stored()).toMatchObject({ status: 'done', generation: 1, edition: 1 })
  })

  it('a replay that fails before it began leaves the event as it was', async () => {
    const { world, id, work, stored } = await setUp()
    await work()
    const before = await stored()
    const down = async () => ({ kind: 'unavailable', cause: 'Timeout: no answer' }) as const
    for (const broken of [
      { ...world, replays: { ...world.replays, begin: down } },
      { ...world, bodies: { ...world.bodies, keep: down } },
      { ...world, keptBodies: { fetch: () => Promise.reject(new Error('Timeout: no answer')) } },
      { ...world, records: { ...world.records, read: () => Promise.reject(new Error('Timeout: no answer')) } },
    ]) {
      const answer = await replay(broken, { id, actor: 'ada', reason: 'fixed', job: null })
      expect(answer).toMatchObject({ kind: 'unavailable', cause: expect.stringContaining('Timeout') })
    }
    expect(await stored()).toEqual(before)
  })
})
