import { describe, expect, it } from 'vitest'
import type { Handler } from '../../../functions/consume/handle.ts'
import { type Fingerprint, millis } from '../../../functions/domain/brands.ts'
import { ignore, Unprocessable } from '../../../functions/domain/event.ts'
import { replay } from '../../../functions/operate/replay.ts'
import { deliveries } from '../../../lib/operator/deliveries.ts'
import type { LineSource } from '../../../lib/operator/line-source.ts'
import { type ReadLine, readLines } from '../../../lib/operator/read-line.ts'
import { stats } from '../../../lib/operator/stats.ts'
import { timeline } from '../../../lib/operator/timeline.ts'
import { where } from '../../../lib/operator/where.ts'
import { NOON } from '../../support/events.ts'
import { wholeRig } from '../../support/whole-rig.ts'

const HOUR = 3_600_000
const ALL = { from: NOON, until: millis(NOON + HOUR), limit: 100 }

const sourceOf = (lines: readonly string[]): LineSource => ({
  lines: async function* () {
    yield* lines
  },
})

/** A morning of one event: delivered, tried twice, done, and delivered again. Lines as the functions write them. */
const morning = async () => {
  const at = wholeRig()
  const event = { id: 'evt_1', object: 'event', type: 'invoice.paid' }
  const work: string[] = []
  const write = (text: string): void => void work.push(text)
  await at.stripe(event)
  at.advance(1_000)
  let tries = 0
  const handler = async () => {
    if (++tries === 1) throw new Error('the database is down')
  }
  await at.deliver(handler, at.texts(), { write })
  at.advance(30_000)
  await at.deliver(handler, at.texts(), { write, receiveCount: 2 })
  at.advance(1_000)
  await at.stripe({ ...event, pending: 1 })
  await at.stripe(event, { secret: 'whsec_wrong_0123456789abcdef00' })
  const { body } = await at.stripe(event)
  const lines = [...at.lines.slice(0, 1), ...work, 'what a handler printed\n', '{"handled":1}\n', ...at.lines.slice(1)]
  return { at, id: body.id as Fingerprint, lines: sourceOf(lines) }
}

describe('deliveries', () => {
  it('the deliveries of an event are listed newest first, each with its answer', async () => {
    const { id, lines } = await morning()
    const found = await deliveries(lines, { ...ALL, eventId: 'evt_1' })
    expect(found.map(({ status, outcome, bodyChanged }) => [status, outcome, bodyChanged])).toEqual([
      [200, 'duplicate', false],
      [200, 'duplicate', true],
      [202, 'accepted', false],
    ])
    expect(await deliveries(lines, { ...ALL, id: id.slice(0, 12) })).toEqual(found)
    expect(found[0]).toMatchObject({ source: 'stripe', id, eventId: 'evt_1', attempt: null, reason: null })
  })

  it('the deliveries of a source include rejected ones and why, up to the limit and within the time asked for', async () => {
    const { lines } = await morning()
    expect(await deliveries(lines, { ...ALL, source: 'stripe' })).toHaveLength(4)
    expect(await deliveries(lines, { ...ALL, source: 'github' })).toEqual([])
    expect(await deliveries(lines, { ...ALL, limit: 1 })).toHaveLength(1)
    expect(await deliveries(lines, { ...ALL, until: millis(NOON + 500) })).toHaveLength(1)
    const rejected = (await deliveries(lines, ALL)).filter(({ status }) => status === 401)
    expect(rejected).toMatchObject([{ outcome: 'rejected', reason: 'signature-mismatch', id: null }])
  })

  it("a delivery has its sender's own count of tries, if that is a number", async () => {
    const at = wholeRig()
    for (const value of ['3', 'x3', '999999', '']) {
      await at.post({ body: '{}', headers: { 'x-slack-retry-num': value } })
    }
    const found = await deliveries(sourceOf(at.lines), ALL)
    expect(found.map(({ attempt }) => attempt).sort()).toEqual([3, null, null, null])
  })
})

describe('stats', () => {
  it('stats count each source from its log lines, in total and over time', async () => {
    const { lines } = await morning()
    const found = await stats(lines, { from: NOON, until: millis(NOON + HOUR), bucketMs: 30_000 })
    expect(found.truncated).toBe(false)
    const [stripe, ...others] = found.sources
    expect(others).toEqual([])
    expect(stripe).toMatchObject({
      source: 'stripe',
      received: 4,
      accepted: 1,
      duplicate: 2,
      inFlight: 0,
      rejected: 1,
      rejectedBy: { 'signature-mismatch': 1 },
      unavailable: 0,
      done: 1,
      failed: 0,
      duplicateRate: 2 / 3,
      latency: { p50: 0, p95: 0, p99: 0 },
    })
    expect(stripe?.buckets).toHaveLength(120)
    expect(stripe?.buckets[0]).toMatchObject({ time: new Date(NOON).toISOString(), received: 1, accepted: 1, done: 0 })
    expect(stripe?.buckets[1]).toMatchObject({ received: 3, duplicate: 2, done: 1 })
    expect(stripe?.buckets[2]).toMatchObject({ received: 0, latencyP95: null })
  })

  it('the percentiles of stats are values that were measured', async () => {
    const at = (milliseconds: number) =>
      JSON.stringify({
        _aws: { Timestamp: NOON },
        Source: 's',
        outcome: 'accepted',
        status: 202,
        Latency: milliseconds,
        Accepted: 1,
      })
    const lines = sourceOf(Array.from({ length: 100 }, (_, index) => at(index + 1)))
    const { sources } = await stats(lines, { from: NOON, until: millis(NOON + 1), bucketMs: 60_000 })
    expect(sources[0]?.latency).toEqual({ p50: 50, p95: 95, p99: 99 })
  })
})

describe('a timeline', () => {
  const read = async (lines: LineSource, id: string): Promise<ReadLine[]> => {
    const found: ReadLine[] = []
    for await (const each of readLines(lines, { ...ALL, contains: id })) found.push(each)
    return found
  }

  it('a timeline has every try, every duplicate and every error of an event, in order', async () => {
    const { at, id, lines } = await morning()
    const record = await at.world.records.read(id, at.world.now())
    if (!record) throw new Error('it is gone')
    const told = timeline(record, [], await read(lines, id))
    expect(told.map(({ what }) => what)).toEqual([
      'received',
      'claimed',
      'queued',
      'working',
      'attempt-failed',
      'working',
      'done',
      'duplicate',
      'duplicate',
    ])
    expect(told[4]).toMatchObject({ time: new Date(NOON + 1_000).toISOString(), detail: 'Error: the database is down' })
    expect(told[5]).toMatchObject({ detail: 'received 2 times', generation: 0 })
    expect(told[7]?.detail).toBe('with another body, answered 200 after 0 ms')
  })

  it('an ignored event is counted, and its timeline says why it was ignored, with log lines and without', async () => {
    const at = wholeRig()
    const work: string[] = []
    const { body } = await at.stripe({ id: 'evt_1', object: 'event', type: 'invoice.voided' })
    const id = body.id as Fingerprint
    at.advance(1_000)
    await at.deliver(() => ignore('not one of ours'), at.texts(), { write: text => void work.push(text) })
    const lines = sourceOf([...at.lines, ...work])
    const { sources } = await stats(lines, { ...ALL, bucketMs: HOUR })
    expect(sources).toMatchObject([{ source: 'stripe', ignored: 1, done: 0, failed: 0 }])
    const record = await at.world.records.read(id, at.world.now())
    if (!record) throw new Error('it is gone')
    for (const told of [timeline(record, [], await read(lines, id)), timeline(record, [], [])]) {
      expect(told.at(-1)).toMatchObject({ what: 'ignored', detail: 'not one of ours' })
    }
    expect(where(record, at.world.now())).toContain('not one of ours')
  })

  it('a timeline without log lines has what the record and the audits say', async () => {
    const { at, id } = await morning()
    const record = await at.world.records.read(id, at.world.now())
    if (!record) throw new Error('it is gone')
    const audit = {
      fingerprint: id,
      generation: 1,
      act: 'replay',
      was: 'done',
      actor: 'ada',
      reason: 'fixed',
      at: millis(NOON + 40_000),
      job: 'j1',
      fence: record.fence,
      before: { claimedAt: record.claimedAt, updatedAt: record.updatedAt, says: null },
    } as const
    const again = {
      ...record,
      generation: 1,
      status: 'queued',
      claimedAt: audit.at,
      updatedAt: millis(audit.at + 9),
    } as const
    expect(timeline(again, [audit], []).map(({ what, generation, detail }) => [what, generation, detail])).toEqual([
      ['received', 0, ''],
      ['claimed', 0, ''],
      ['done', 0, ''],
      ['replayed', 1, 'by ada: fixed (job j1)'],
      ['claimed', 1, ''],
      ['queued', 1, ''],
    ])
  })

  it('a timeline of a replayed event has every generation: claimed, queued, worked on and ended', async () => {
    const at = wholeRig()
    const work: string[] = []
    const write = (text: string) => void work.push(text)
    const deliver = async (handler: Handler) => {
      const sentAt = at.world.now()
      at.advance(1_000)
      await at.deliver(handler, at.texts().slice(-1), { write, sentAt })
      at.advance(60_000)
    }
    const { body } = await at.stripe({ id: 'evt_1', object: 'event', type: 'invoice.paid' })
    const id = body.id as Fingerprint
    const act = { id, actor: 'ada', reason: 'fixed', job: null }
    await deliver(() => Promise.reject(new Unprocessable('no')))
    await replay(at.world, act)
    await deliver(() => ignore('not one of ours'))
    await replay(at.world, act)
    await deliver(async () => {})
    const record = await at.world.records.read(id, at.world.now())
    if (!record) throw new Error('it is gone')
    const audits = await at.world.replays.audits(id, [1, 2])
    const steps = (lines: readonly ReadLine[]) =>
      timeline(record, audits, lines).map(({ what, generation }) => `${what} ${generation ?? '-'}`)
    const of = (generation: number, end: string, ...more: string[]) =>
      ['claimed', ...more, end].map(what => `${what} ${generation}`)
    const worked = ['queued', 'working']
    expect(steps(await read(sourceOf([...at.lines, ...work]), id))).toEqual([
      'received -',
      ...of(0, 'failed', ...worked),
      'replayed 1',
      ...of(1, 'ignored', ...worked),
      'replayed 2',
      ...of(2, 'done', ...worked),
    ])
    expect(steps([])).toEqual([
      'received 0',
      ...of(0, 'failed'),
      'replayed 1',
      ...of(1, 'ignored'),
      'replayed 2',
      ...of(2, 'done'),
    ])
    const [, , failed] = timeline(record, audits, [])
    expect(failed?.detail).toBe('Unprocessable: no')
  })

  it('a timeline of an event that its sender sent again after it had failed has both generations', async () => {
    const at = wholeRig()
    const work: string[] = []
    const write = (text: string) => void work.push(text)
    const event = { id: 'evt_1', object: 'event', type: 'invoice.paid' }
    const { body } = await at.stripe(event)
    const id = body.id as Fingerprint
    at.advance(1_000)
    await at.deliver(() => Promise.reject(new Unprocessable('no')), at.texts(), { write })
    at.advance(60_000)
    expect((await at.stripe(event)).status).toBe(202)
    at.advance(1_000)
    await at.deliver(async () => {}, at.texts().slice(-1), { write })
    const record = await at.world.records.read(id, at.world.now())
    if (!record) throw new Error('it is gone')
    const told = timeline(record, [], await read(sourceOf([...at.lines, ...work]), id))
    expect(told.map(({ what, generation }) => `${what} ${generation ?? '-'}`)).toEqual([
      'received -',
      'claimed 0',
      'queued 0',
      'working 0',
      'failed 0',
      'reopened -',
      'claimed 1',
      'queued 1',
      'working 1',
      'done 1',
    ])
  })
})
