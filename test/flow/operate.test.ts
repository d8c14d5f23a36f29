import { createHmac } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  endLocals,
  eventuallyAt,
  hooklatch,
  hooklatchOn,
  type RunningLocal,
  startLocal,
  until,
  workplace,
} from '../support/local-rig.ts'

const EVENT_MODULE = join(import.meta.dirname, '../../functions/domain/event.ts')
const SECRET = 'whsec_operate_0123456789abcdef01'
const WRONG_SECRET = 'whsec_wrong_0123456789abcdef0123'

// A command is a process of its own, and takes seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000 })
afterAll(endLocals)

/** Fails for good while the file `broken` is there, and waits while `held` is; notes what it has handled. */
const worker = (directory: string): string => `
import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Unprocessable } from ${JSON.stringify(EVENT_MODULE)}
export const work = async event => {
  if (existsSync(${JSON.stringify(join(directory, 'broken'))})) throw new Unprocessable('the database is down')
  const isHeld = () => existsSync(${JSON.stringify(join(directory, 'held'))})
  for (let looks = 0; looks < 60 && isHeld(); looks++) await sleep(50)
  if (isHeld()) throw new Error('held')
  appendFileSync(${JSON.stringify(join(directory, 'handled'))}, event.eventId + ' ' + event.generation + ' ' + event.idempotencyKey + '\\n')
}
`

const directory = workplace()
let local: RunningLocal

const file = (name: string, content: string): string => {
  writeFileSync(join(directory, name), content)
  return join(directory, name)
}

const useSecret = (secret: string): string =>
  file('secrets.json', JSON.stringify({ stripe: [secret], github: ['gh-secret-0123456789'] }))

beforeAll(async () => {
  const sources = { stripe: { provider: 'stripe', quarantine: true }, github: { provider: 'github' } }
  local = await startLocal(directory, [
    ...['--source-file', file('sources.json', JSON.stringify(sources))],
    ...['--secrets', useSecret(SECRET)],
    ...['--worker', file('worker.ts', worker(directory))],
  ])
})

const post = async (id: string, fields: object = {}): Promise<number> => {
  const body = JSON.stringify({ id, object: 'event', type: 'invoice.paid', ...fields })
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` }
  return (await fetch(`${local.url}/webhooks/stripe`, { method: 'POST', headers, body })).status
}

const handled = (id: string): string[] =>
  (existsSync(join(directory, 'handled')) ? readFileSync(join(directory, 'handled'), 'utf8') : '')
    .split('\n')
    .filter(line => line.startsWith(`${id} `))

const cli = async (...args: string[]) => {
  const { code, out, err } = await hooklatch(directory, ...args)
  return { code, err, out, json: () => JSON.parse(out) }
}

const shown = async (id: string) => (await cli('show', id, '--json')).json()

const inStatus = (id: string, status: string, generation: number) =>
  eventuallyAt(
    local,
    `${id} ${status} in generation ${generation}`,
    () => shown(id),
    event => event.status === status && event.generation === generation,
  )

describe('npx hooklatch replay', () => {
  it('a replay without a terminal runs a done event again, records who and why, and gives the handler another key', async () => {
    expect(await post('evt_done')).toBe(202)
    await until('its end', () => handled('evt_done').length === 1)
    const { code, json } = await cli('replay', 'evt_done', '--reason', 'handler fixed', '--yes', '--json')
    expect(code).toBe(0)
    expect(json()).toMatchObject({ result: 'replayed', generation: 1, queued: true })
    const event = await inStatus('evt_done', 'done', 1)
    expect(event.audit).toMatchObject([{ act: 'replay', generation: 1, was: 'done', reason: 'handler fixed' }])
    expect(event.audit[0].actor).not.toBe('')
    expect(event.where).toMatch(/^done since /)
    const steps = event.timeline.map(({ what }: { what: string }) => what)
    expect(steps).toEqual(expect.arrayContaining(['received', 'claimed', 'queued', 'working', 'done', 'replayed']))
    const keys = handled('evt_done').map(line => line.split(' ')[2])
    expect(new Set(keys).size).toBe(2)
  })

  it('three replays of one event at once are one replay', async () => {
    await post('evt_thrice')
    await inStatus('evt_thrice', 'done', 0)
    // On a busy machine the three may start seconds apart: until all have answered, the replayed event stays in flight.
    const held = file('held', '')
    const answers = await Promise.all(
      ['a', 'b', 'c'].map(reason => cli('replay', 'evt_thrice', '--reason', reason, '--yes', '--json')),
    )
    rmSync(held)
    expect(answers.map(({ json }) => json().result).filter(result => result === 'replayed')).toHaveLength(1)
    await inStatus('evt_thrice', 'done', 1)
    expect(handled('evt_thrice')).toHaveLength(2)
  })

  it.each([
    [['replay', 'evt_nobody', '--reason', 'x', '--yes'], 1, /There is no event with the id evt_nobody/],
    [['replay', 'evt_done', '--yes'], 2, /--reason is missing/],
    [['replay', 'evt_done', '--reason', 'x'], 2, /no terminal to ask on: add --yes/],
    [['replay', '--reason', 'x', '--yes'], 2, /Say what to replay/],
    [['replay', '--source', 'stripe', '--status', 'queued', '--reason', 'x'], 2, /--status queued cannot be replayed/],
    [['replay', '--source', 'stripe', '--since', 'soon', '--reason', 'x'], 2, /neither a duration nor a time/],
    [['replay', '--resume', 'nothing'], 1, /There is no job nothing: expected the id that a replay/],
    [['redrive', 'evt_done', '--reason', 'x', '--yes'], 1, /is done, not failed/],
    [['capture', 'start', 'github', '--answer', '500'], 1, /never retries/],
    [['capture', 'begin', 'stripe'], 2, /Unknown action "begin"/],
    [['quarantine', 'list', 'strype'], 1, /There is no source "strype"/],
    [['events', '--source', 'strype'], 1, /There is no source "strype": did you mean "stripe"/],
    [['events', '--until', '31d'], 2, /--since is not before --until/],
    [['deliveries', '--since', '1h', '--until', '2h'], 2, /--since is not before --until/],
    [['stats', '--source', 'strype'], 1, /There is no source "strype"/],
    [['replay', '--source', 'strype', '--dry-run'], 1, /There is no source "strype"/],
    [['redrive', '--source', 'strype', '--reason', 'x', '--yes'], 1, /There is no source "strype"/],
    [['compare', 'x', 'y'], 1, /No delivery "x" is kept/],
  ])('hooklatch %j ends with exit code %i and a sentence', async (args, expected, sentence) => {
    const { code, err } = await cli(...args)
    expect(err).toMatch(sentence)
    expect(code).toBe(expected)
  })

  it('a replay of many counts first, stops at Ctrl-C, and goes on with --resume: each event is replayed once', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `evt_bulk_${index}`)
    for (const id of ids) expect(await post(id, { type: 'bulk' })).toBe(202)
    await until('their end', () => ids.every(id => handled(id).length === 1))
    const filter = ['--source', 'stripe', '--type', 'bulk', '--since', '1h']
    expect((await cli('replay', ...filter, '--dry-run', '--json')).json()).toMatchObject({
      result: 'dry-run',
      count: 30,
      done: 30,
      withoutBody: 0,
    })
    expect((await cli('replay', ...filter, '--reason', 'x')).code).toBe(2)
    expect((await cli('replay', ...filter, '--reason', 'x', '--yes', '--count', '29')).err).toMatch(
      /more than --count 29/,
    )
    expect(ids.flatMap(handled)).toHaveLength(30)

    const running = hooklatchOn(directory, 'replay', ...filter, '--reason', 'bulk', '--yes', '--json', '--rate', '6')
    await until('some replays', () => ids.flatMap(handled).length >= 33)
    running.pressCtrlC()
    const stopped = JSON.parse((await running.finished).out)
    expect((await running.finished).code).toBe(1)
    expect(stopped).toMatchObject({ result: 'stopped', job: { state: 'running', expected: 30 } })
    expect(stopped.job.replayed).toBeLessThan(30)

    const resumed = await cli('replay', '--resume', stopped.job.id, '--json')
    expect(resumed.json()).toMatchObject({ result: 'finished', job: { state: 'finished', refused: {} } })
    await until('all of them', () => ids.flatMap(handled).length >= 60)
    for (const id of ids) expect(handled(id).map(line => line.split(' ')[1])).toEqual(['0', '1'])
  })
})

describe('npx hooklatch redrive', () => {
  it('redrive lists what failed for good and gives it another try under the same key', async () => {
    file('broken', '')
    await post('evt_failed')
    await inStatus('evt_failed', 'failed', 0)
    rmSync(join(directory, 'broken'))
    const page = (await cli('redrive', '--json')).json()
    expect(page).toMatchObject({ events: [{ eventId: 'evt_failed', status: 'failed' }], waiting: 0 })
    const { code, json } = await cli('redrive', '--source', 'stripe', '--reason', 'it is back', '--yes', '--json')
    expect(code).toBe(0)
    expect(json()).toMatchObject({ result: 'finished', job: { replayed: 1 } })
    const event = await inStatus('evt_failed', 'done', 1)
    expect(event.audit).toMatchObject([{ was: 'failed', reason: 'it is back' }])
    expect(handled('evt_failed')[0]).toMatch(/ 1 [0-9a-f]+/)
  })
})

describe('deliveries and stats', () => {
  it('deliveries shows every delivery of an event, and stats counts them by source', async () => {
    await post('evt_seen')
    await until('its end', () => handled('evt_seen').length === 1)
    expect(await post('evt_seen')).toBe(200)
    const { deliveries } = (await cli('deliveries', 'evt_seen', '--json')).json()
    expect(deliveries.map(({ status, outcome }: { status: number; outcome: string }) => [status, outcome])).toEqual([
      [200, 'duplicate'],
      [202, 'accepted'],
    ])
    expect(deliveries[0].durationMs).toBeGreaterThanOrEqual(0)
    const { sources } = (await cli('stats', '--json', '--since', '1h')).json()
    const stripe = sources.find(({ source }: { source: string }) => source === 'stripe')
    expect(stripe.accepted).toBeGreaterThan(30)
    expect(stripe.duplicate).toBe(1)
    expect(stripe.done).toBeGreaterThan(60)
    expect((await shown('evt_seen')).timeline.map(({ what }: { what: string }) => what)).toContain('duplicate')
  })
})

describe('npx hooklatch quarantine', () => {
  it('quarantine keeps what a wrong secret turned away, and accepts it once the secret is fixed', async () => {
    useSecret(WRONG_SECRET)
    expect(await post('evt_turned_away')).toBe(401)
    const [kept] = (await cli('quarantine', 'list', 'stripe', '--json')).json().deliveries
    expect(kept).toMatchObject({ status: 401, reason: 'signature-mismatch' })
    expect((await cli('quarantine', 'verify', 'stripe', '--json')).json().results).toMatchObject([
      { result: 'distrusted' },
    ])
    useSecret(SECRET)
    const shownKept = await cli('quarantine', 'show', 'stripe', kept.correlationId)
    expect(shownKept.out).toContain('evt_turned_away')
    expect(shownKept.out).not.toContain('v1=')
    const accept = ['quarantine', 'accept', 'stripe', '--reason', 'late rotation', '--yes', '--json']
    expect((await cli(...accept)).json().results).toMatchObject([{ result: 'taken', outcome: 'accepted' }])
    expect((await cli(...accept)).json().results).toMatchObject([{ result: 'taken', outcome: 'duplicate' }])
    await until('its end', () => handled('evt_turned_away').length === 1)
    expect((await shown('evt_turned_away')).audit).toMatchObject([{ act: 'accept', reason: 'late rotation' }])
  })
})

describe('npx hooklatch capture', () => {
  it('a drill turns the tries of a sender away, keeps and compares them, and then its event is accepted', async () => {
    const started = (await cli('capture', 'start', 'stripe', '--for', '5m', '--answer', '500', '--json')).json()
    expect(started).toMatchObject({ source: 'stripe', answer: 500, takesEffect: 'at once' })
    expect(await post('evt_drill', { pending_webhooks: 2 })).toBe(500)
    expect(await post('evt_drill', { pending_webhooks: 1 })).toBe(500)
    const { deliveries } = (await cli('capture', 'list', 'stripe', '--json')).json()
    expect(deliveries).toMatchObject([{ eventId: 'evt_drill' }, { eventId: 'evt_drill' }])
    const [second, first] = deliveries
    const compared = await cli('compare', first.correlationId, second.correlationId, '--json')
    expect(compared.code).toBe(0)
    expect(compared.json()).toMatchObject({
      sameEventId: true,
      sameBody: false,
      body: [{ path: '$.pending_webhooks', first: '2', second: '1' }],
    })
    expect((await cli('capture', 'stop', 'stripe')).code).toBe(0)
    expect(readFileSync(join(directory, 'secrets.json'), 'utf8')).not.toContain('capture')
    expect(await post('evt_drill')).toBe(202)
  })
})
