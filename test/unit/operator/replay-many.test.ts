import { describe, expect, it } from 'vitest'
import { type Fingerprint, millis } from '../../../functions/domain/brands.ts'
import { ignore } from '../../../functions/domain/event.ts'
import { erase } from '../../../functions/operate/erase.ts'
import { type ReplayingMany, replayMany } from '../../../functions/operate/replay-many.ts'
import { cancelJob, startEraseJob, startJob } from '../../../functions/operate/start-job.ts'
import { planReplay } from '../../../lib/operator/plan-replay.ts'
import { NOON } from '../../support/events.ts'
import { wholeRig } from '../../support/whole-rig.ts'

const HANDLES = async () => {}
const RATE = 1_000

/** So many events, done, a second apart; one more is still on the queue. */
const setUp = async (count: number) => {
  const at = wholeRig()
  const world: ReplayingMany = { ...at.world, actor: 'ada' }
  for (let number = 0; number < count; number += 1) {
    await at.stripe({ id: `evt_${number}`, object: 'event', type: number % 2 === 0 ? 'even' : 'odd' })
    await at.deliver(HANDLES, at.texts().slice(-1))
    at.advance(1_000)
  }
  await at.stripe({ id: 'evt_in_flight', object: 'event', type: 'even' })
  at.advance(1_000)
  const filter = { from: NOON, until: millis(NOON + 86_400_000), source: 'stripe' }
  const start = (fields: object = {}) =>
    startJob(world, { filter: { ...filter, ...fields }, reason: 'fixed', expected: count, rate: RATE })
  const replayed = () =>
    at
      .messages()
      .filter(({ generation }) => generation > 0)
      .map(({ eventId }) => eventId)
  return { at, world, filter, start, replayed }
}

describe('a dry run', () => {
  it('a dry run counts what would be replayed and what is left alone, and replays nothing', async () => {
    const { at, world, filter, replayed } = await setUp(5)
    expect(await planReplay(world.records, filter, world.now())).toEqual({
      count: 5,
      done: 5,
      failed: 0,
      ignored: 0,
      inFlight: 1,
      withoutBody: 0,
      oldest: new Date(NOON).toISOString(),
      newest: new Date(NOON + 4_000).toISOString(),
    })
    expect(await planReplay(world.records, { ...filter, type: 'odd' }, world.now())).toMatchObject({ count: 2 })
    expect(await planReplay(world.records, { ...filter, status: 'failed' }, world.now())).toMatchObject({ count: 0 })
    expect(await planReplay(world.records, { ...filter, until: millis(NOON + 1_000) }, world.now())).toMatchObject({
      count: 1,
    })
    expect(replayed()).toEqual([])
    expect(at.messages()).toHaveLength(6)
  })

  it('a dry run counts what was erased among the events without a body: a replay refuses it', async () => {
    const { world, filter, start } = await setUp(2)
    const [, erased] = (await world.records.list({ from: NOON, now: world.now(), limit: 2 })).records
    await erase(world, { id: erased?.fingerprint as Fingerprint, actor: 'bob', reason: 'law', job: null })
    expect(await planReplay(world.records, filter, world.now())).toMatchObject({ count: 2, withoutBody: 1 })
    const { id } = await start()
    expect(await replayMany(world, id)).toMatchObject({ job: { replayed: 1, refused: { erased: 1 } } })
  })
})

describe('ignored events', () => {
  it('a bulk replay takes ignored events only if they are asked for', async () => {
    const { at, world, filter, start, replayed } = await setUp(1)
    await at.stripe({ id: 'evt_ignored', object: 'event', type: 'even' })
    await at.deliver(() => ignore('not one of ours'), at.texts().slice(-1))
    at.advance(1_000)
    const plan = (fields: object) => planReplay(world.records, { ...filter, ...fields }, world.now())
    expect(await plan({})).toMatchObject({ count: 1, done: 1, ignored: 0 })
    expect(await plan({ status: 'ignored' })).toMatchObject({ count: 1, done: 0, ignored: 1 })
    await replayMany(world, (await start()).id)
    expect(replayed()).toEqual(['evt_0'])
    await replayMany(world, (await start({ status: 'ignored' })).id)
    expect(replayed()).toEqual(['evt_0', 'evt_ignored'])
  })
})

describe('an erasure of many', () => {
  const setUpErasure = async () => {
    const { at, world } = await setUp(3)
    await at.deliver(HANDLES, at.texts().slice(-1))
    const [newest] = (await world.records.list({ from: NOON, now: world.now(), limit: 1 })).records
    if (!newest) throw new Error('there is no event')
    await erase(world, { id: newest.fingerprint, actor: 'bob', reason: 'before', job: null })
    at.advance(1_000)
    const { id } = await startEraseJob(world, { source: 'stripe', before: world.now(), reason: 'law', expected: 3 })
    return { at, world, id }
  }

  it('an erasure of many does not count what somebody had erased before it started, and does not refuse it', async () => {
    const { world, id } = await setUpErasure()
    expect(await replayMany(world, id, { act: 'erase' })).toMatchObject({
      kind: 'finished',
      job: { expected: 3, replayed: 3, refused: {} },
    })
  })

  it('an erasure of many whose process was killed before it saved counts what it had erased when it is resumed', async () => {
    const { at, world, id } = await setUpErasure()
    const killed = { ...world, jobs: { ...world.jobs, save: () => Promise.reject(new Error('killed')) } }
    await replayMany(killed, id, { act: 'erase' })
    expect(await world.jobs.read(id)).toMatchObject({ replayed: 0, cursor: null })
    at.advance(1_000)
    expect(await replayMany(world, id, { act: 'erase' })).toMatchObject({ kind: 'finished', job: { replayed: 3 } })
  })
})

describe('a bulk replay', () => {
  it('a bulk replay replays each match once, newest first, and records its job', async () => {
    const { world, start, replayed } = await setUp(5)
    const seen: number[] = []
    const { id } = await start()
    const answer = await replayMany(world, id, { onProgress: job => void seen.push(job.replayed) })
    expect(answer).toMatchObject({ kind: 'finished', job: { id, state: 'finished', replayed: 5, refused: {} } })
    expect(replayed().sort()).toEqual(['evt_0', 'evt_1', 'evt_2', 'evt_3', 'evt_4'])
    expect(seen.at(-1)).toBe(5)
    const audits = await world.replays.recent(NOON, millis(NOON + 86_400_000), 10)
    expect(audits.map(({ job, actor, reason }) => [job, actor, reason])).toEqual(Array(5).fill([id, 'ada', 'fixed']))
  })

  it('a bulk replay replays only what its filter matches', async () => {
    const { world, start, replayed } = await setUp(4)
    await replayMany(world, (await start({ type: 'odd' })).id)
    expect(replayed().sort()).toEqual(['evt_1', 'evt_3'])
  })

  it('a bulk replay that was stopped continues where it was and replays nothing twice', async () => {
    const { world, start, replayed } = await setUp(250)
    const stop = new AbortController()
    const { id } = await start()
    const first = await replayMany(world, id, {
      stop: stop.signal,
      onProgress: ({ replayed: count }) => count >= 120 && stop.abort(),
    })
    expect(first).toMatchObject({ kind: 'stopped', job: { state: 'running' } })
    const sofar = replayed().length
    expect(sofar).toBeGreaterThanOrEqual(120)
    expect(sofar).toBeLessThan(250)
    expect(await replayMany(world, id)).toMatchObject({ kind: 'finished', job: { replayed: 250 } })
    expect(new Set(replayed()).size).toBe(250)
    expect(replayed()).toHaveLength(250)
  })

  it('a bulk replay whose share is over as soon as its page is read gets on all the same, and ends', async () => {
    const { world, start, replayed } = await setUp(3)
    const { id } = await start()
    const share = () => {
      const stop = new AbortController()
      const list: typeof world.records.list = page => world.records.list(page).finally(() => stop.abort())
      return replayMany({ ...world, records: { ...world.records, list } }, id, { stop: stop.signal })
    }
    const shares = [await share(), await share(), await share(), await share()]
    expect(shares.at(-1)).toMatchObject({ kind: 'finished', job: { replayed: 3 } })
    expect(replayed().sort()).toEqual(['evt_0', 'evt_1', 'evt_2'])
  })

  it('a bulk replay whose process was killed before it saved replays nothing twice', async () => {
    const { world, start, replayed } = await setUp(120)
    const { id } = await start()
    const killed = { ...world, jobs: { ...world.jobs, save: () => Promise.reject(new Error('killed')) } }
    const stop = new AbortController()
    await replayMany(killed, id, { stop: stop.signal, onProgress: job => job.replayed >= 100 && stop.abort() })
    expect(await world.jobs.read(id)).toMatchObject({ replayed: 0, cursor: null })
    await replayMany(world, id)
    expect(replayed()).toHaveLength(120)
    expect(new Set(replayed()).size).toBe(120)
  })

  it('a bulk replay saves about every second of its rate, also if the clock is frozen', async () => {
    const { world, start } = await setUp(25)
    const { id } = await start()
    const saves: number[] = []
    const save: typeof world.jobs.save = async job => {
      saves.push(job.replayed)
      return world.jobs.save(job)
    }
    const job = await world.jobs.read(id)
    if (!job) throw new Error('there is no job')
    await world.jobs.save({ ...job, rate: 10 })
    const frozen = world.now()
    await replayMany({ ...world, now: () => frozen, jobs: { ...world.jobs, save } }, id)
    expect(saves).toEqual([10, 20, 25])
  })

  it('a bulk replay that may not send says why, so the log of its function has it', async () => {
    const { world, start } = await setUp(2)
    const { id } = await start()
    const cause = 'AccessDenied: not authorized to perform: sqs:SendMessage'
    const mute = { ...world, queue: { ...world.queue, send: async () => ({ kind: 'unavailable', cause }) as const } }
    expect(await replayMany(mute, id)).toMatchObject({
      kind: 'finished',
      cause: expect.stringContaining(cause),
      job: { replayed: 2, refused: {} },
    })
  })

  it('a bulk replay that loses a service is unavailable and can be resumed', async () => {
    const { world, start, replayed } = await setUp(20)
    const { id } = await start()
    let calls = 0
    const fails = {
      ...world,
      replays: {
        ...world.replays,
        begin: async (...given: Parameters<typeof world.replays.begin>) =>
          ++calls > 7 ? ({ kind: 'unavailable', cause: 'ExpiredToken: no' } as const) : world.replays.begin(...given),
      },
    }
    const answer = await replayMany(fails, id)
    expect(answer).toMatchObject({ kind: 'unavailable', cause: 'ExpiredToken: no', job: { replayed: 7, refused: {} } })
    expect(replayed()).toHaveLength(7)
    expect(await replayMany(world, id)).toMatchObject({ kind: 'finished', job: { replayed: 20 } })
    expect(new Set(replayed()).size).toBe(20)
  })

  it('a bulk replay that somebody else cancels ends, and cannot be resumed', async () => {
    const { world, start } = await setUp(3)
    const { id } = await start()
    expect(await cancelJob(world, id)).toMatchObject({ state: 'cancelled' })
    expect(await replayMany(world, id)).toMatchObject({ kind: 'cancelled', job: { replayed: 0 } })
    expect(await cancelJob(world, 'nope')).toBeUndefined()
    expect(await replayMany(world, 'nope')).toEqual({ kind: 'unknown' })
  })
})
