import { createHmac } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { endLocals, eventuallyAt, hooklatch, type RunningLocal, startLocal, workplace } from '../support/local-rig.ts'

const EVENT_MODULE = join(import.meta.dirname, '../../functions/domain/event.ts')
const SECRET = 'whsec_operate_0123456789abcdef01'
const GITHUB = 'gh-secret-0123456789'
/** What must be nowhere in the end. */
const EMAIL = 'ada.lovelace.4711@example.com'

vi.setConfig({ testTimeout: 240_000 })
afterAll(endLocals)

const directory = workplace()
const file = (name: string, content: string): string => {
  writeFileSync(join(directory, name), content)
  return join(directory, name)
}
const worker = `
import { existsSync } from 'node:fs'
import { Unprocessable } from ${JSON.stringify(EVENT_MODULE)}
export const work = async event => {
  if (existsSync(${JSON.stringify(join(directory, 'broken'))})) throw new Unprocessable('no account of ' + (await event.json()).email)
  if (existsSync(${JSON.stringify(join(directory, 'held'))})) throw new Error('held')
}
`
let local: RunningLocal

beforeAll(async () => {
  const sources = { stripe: { provider: 'stripe', quarantine: true }, github: { provider: 'github' } }
  local = await startLocal(directory, [
    ...['--source-file', file('sources.json', JSON.stringify(sources))],
    ...['--secrets', file('secrets.json', JSON.stringify({ stripe: [SECRET], github: [GITHUB] }))],
    ...['--worker', file('worker.ts', worker)],
  ])
})

const answered = async (response: Response) => response.json() as Promise<{ status: string; id: string }>

const stripe = async (id: string, fields: object = {}, secret = SECRET) => {
  const body = JSON.stringify({ id, object: 'event', type: 'invoice.paid', email: EMAIL, ...fields })
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` }
  return answered(await fetch(`${local.url}/webhooks/stripe`, { method: 'POST', headers, body }))
}

const github = async (id: string, padding = '') => {
  const body = JSON.stringify({ email: EMAIL, padding })
  const signature = createHmac('sha256', GITHUB).update(body).digest('hex')
  const headers = { 'x-github-event': 'push', 'x-github-delivery': id, 'x-hub-signature-256': `sha256=${signature}` }
  return answered(await fetch(`${local.url}/webhooks/github`, { method: 'POST', headers, body }))
}

const cli = async (...args: string[]) => {
  const { code, out, err } = await hooklatch(directory, ...args)
  return { code, err, out, json: () => JSON.parse(out) }
}
const shown = async (id: string) => (await cli('show', id, '--json')).json()
const inStatus = (id: string, status: string) =>
  eventuallyAt(
    local,
    `${id} ${status}`,
    () => shown(id),
    event => event.status === status,
  )

it('an erased event keeps its identity and loses body, headers and errors, and its repeats are duplicates', async () => {
  file('broken', '')
  expect((await stripe('evt_erased')).status).toBe('accepted')
  const before = await inStatus('evt_erased', 'failed')
  expect(before).toMatchObject({ lastError: expect.stringContaining(EMAIL), body: expect.stringContaining(EMAIL) })
  rmSync(join(directory, 'broken'))

  const dry = await cli('erase', '--event', 'evt_erased', '--dry-run')
  expect([dry.code, dry.out]).toEqual([
    0,
    expect.stringContaining('Would be erased: stripe evt_erased (invoice.paid), failed'),
  ])
  expect((await shown('evt_erased')).erasedAt).toBeNull()

  const erased = await cli('erase', '--event', 'evt_erased', '--reason', 'ticket 4711', '--yes', '--json')
  expect([erased.code, erased.json()]).toEqual([
    0,
    expect.objectContaining({
      result: 'erased',
      id: before.id,
      eventId: 'evt_erased',
      source: 'stripe',
      deliveries: 0,
    }),
  ])
  expect(erased.json().bodies).toBeGreaterThan(0)
  expect(erased.json().remains.join(' ')).toMatch(/35 days.*log retention.*Messages/s)

  const after = await shown('evt_erased')
  expect(after).toMatchObject({
    ...{ id: before.id, eventId: 'evt_erased', type: 'invoice.paid', status: 'failed', bodySha256: before.bodySha256 },
    ...{ body: null, headers: {}, lastError: null, bodyAt: null, replayable: false, erasedAt: erased.json().at },
    audit: [expect.objectContaining({ act: 'erase', reason: 'ticket 4711', was: 'failed' })],
  })
  expect(after.where).toContain('its body, headers and errors were erased')
  expect(after.timeline.map(({ what }: { what: string }) => what)).toContain('erased')

  const replayed = await cli('replay', 'evt_erased', '--reason', 'again', '--yes', '--json')
  expect([replayed.code, replayed.json()]).toEqual([1, expect.objectContaining({ result: 'erased' })])
  expect(replayed.json().message).toContain('was erased at')

  expect(await stripe('evt_erased')).toMatchObject({ status: 'duplicate', id: before.id })
  expect(await stripe('evt_erased', { amount: 7 })).toMatchObject({ status: 'duplicate' })
  expect(await shown('evt_erased')).toMatchObject({ status: 'failed', generation: 0, body: null })

  const again = await cli('erase', '--event', before.id, '--reason', 'again', '--yes', '--json')
  expect([again.code, again.json().result]).toEqual([0, 'already-erased'])
})

it('a repeat of a sender whose bodies are stored first brings no body back, small or large', async () => {
  for (const [id, padding] of [
    ['gh-small', ''],
    ['gh-large', Array.from({ length: 30_000 }, () => Math.random().toString(36)).join('')],
  ] as const) {
    await github(id, padding)
    await inStatus(id, 'done')
    expect((await cli('erase', '--event', id, '--reason', 'ticket 4711', '--yes')).code).toBe(0)
    expect(await github(id, padding)).toMatchObject({ status: 'duplicate' })
    const again = await cli('erase', '--event', id, '--reason', 'to look', '--yes', '--json')
    expect(again.json()).toMatchObject({ result: 'already-erased' })
    expect((await shown(id)).body).toBeNull()
  }
})

it('an event in flight is refused, because its message holds its body', async () => {
  file('held', '')
  await github('gh-held')
  const refused = await cli('erase', '--event', 'gh-held', '--reason', 'ticket 4711', '--yes')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('a message holds its body')])
  rmSync(join(directory, 'held'))
})

it('every event of a source before a time is erased, with what quarantine holds of it, and a second run finds nothing', async () => {
  await stripe('evt_forged', {}, 'whsec_wrong_0123456789abcdef0123')
  for (const id of ['evt_a', 'evt_b', 'evt_c']) await stripe(id)
  for (const id of ['evt_a', 'evt_b', 'evt_c']) await inStatus(id, 'done')
  const before = new Date(Date.now() + 1).toISOString()
  await new Promise(resolve => setTimeout(resolve, 20))
  await stripe('evt_later')

  const where = ['--source', 'stripe', '--before', before]
  const dry = (await cli('erase', ...where, '--dry-run', '--json')).json()
  expect(dry).toMatchObject({ result: 'dry-run', alreadyErased: 1 })
  expect(dry.count).toBeGreaterThanOrEqual(3)

  const run = await cli('erase', ...where, '--reason', 'retention', '--yes', '--rate', '100', '--json')
  expect([run.code, run.json()]).toEqual([
    0,
    expect.objectContaining({
      result: 'finished',
      job: expect.objectContaining({ act: 'erase', deliveries: 1, expected: dry.count, replayed: dry.count }),
    }),
  ])
  for (const id of ['evt_a', 'evt_b', 'evt_c']) expect(await shown(id)).toMatchObject({ body: null, status: 'done' })
  expect((await shown('evt_later')).erasedAt).toBeNull()
  expect((await cli('erase', ...where, '--dry-run', '--json')).json()).toMatchObject({ count: 0 })
  const second = await cli('erase', ...where, '--reason', 'retention', '--yes')
  expect([second.code, second.out]).toEqual([0, expect.stringContaining('Finished: 0 of 0 erased.')])

  const resumed = await cli('replay', '--resume', run.json().job.id)
  expect([resumed.code, resumed.err]).toEqual([1, expect.stringContaining('There is no job')])
})

it.each([
  [[], 'Say what to erase: --event ID, or --source NAME with --before TIME.'],
  [['--source', 'stripe'], 'Say what to erase'],
  [['--event', 'evt_1', '--before', '7d', '--reason', 'x'], 'leave out --before'],
  [['--event', 'evt_1'], '--reason is missing'],
  [['--source', 'stripe', '--before', 'yesterday', '--reason', 'x'], '--before yesterday is neither'],
])('a wrong command line of erase says what is wrong: %j', async (args, sentence) => {
  const { code, err } = await cli('erase', ...args, '--yes')
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)])
})

it('an event that nobody knows, and a source that is none, are said so', async () => {
  const unknown = await cli('erase', '--event', 'evt_never', '--reason', 'x', '--yes')
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('There is no event with the id evt_never')])
  expect((await cli('erase', '--source', 'nobody', '--before', '1d', '--reason', 'x', '--yes')).code).not.toBe(0)
})
