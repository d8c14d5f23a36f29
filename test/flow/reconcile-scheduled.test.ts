import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { endLocals, hooklatch, type RunningLocal, startLocal, until, workplace } from '../support/local-rig.ts'
import { type StubEvent, stripeEvent, stripeEvents } from '../support/sender-stubs.ts'
import { stubApi } from '../support/stub-api.ts'

const SECRET = 'whsec_scheduled_0123456789abcdef'
const KEY = 'rk_test_scheduled'
const MINUTE = 60_000

// An instance is a process of its own, and takes seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const directory = workplace()
const file = (name: string, content: unknown): string => {
  writeFileSync(join(directory, name), JSON.stringify(content))
  return join(directory, name)
}

const noon = Date.parse('2026-11-16T12:00:00Z')
/** Stripe's list: what is added to it is listed from then on. */
const listed: StubEvent[] = [
  { id: 'evt_first', type: 'invoice.paid', at: noon - 10 * MINUTE },
  { id: 'evt_on_its_way', type: 'invoice.paid', at: noon - MINUTE },
]
let stripe: Awaited<ReturnType<typeof stubApi>>

const post = async (local: RunningLocal, event: StubEvent | undefined, now: number): Promise<number> => {
  const body = JSON.stringify(stripeEvent(event as StubEvent))
  const t = Math.floor(now / 1000)
  const v1 = createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` }
  return (await fetch(`${local.url}/webhooks/stripe`, { method: 'POST', headers, body })).status
}

/** `npm start` at this time, over the records that the one before it left. */
const startAt = (now: number, env: NodeJS.ProcessEnv): Promise<RunningLocal> =>
  startLocal(
    directory,
    [
      ...['--source-file', file('sources.json', { stripe: { provider: 'stripe', reconcile: EVERY } })],
      ...['--secrets', file('secrets.json', { stripe: [SECRET] })],
      ...['--data', join(directory, 'data'), '--now', new Date(now).toISOString(), '--api-url', stripe.url],
    ],
    'node',
    env,
  )

const EVERY = { every: '5m', back: '1h' }

/** What doctor says of the comparison, once it says this. */
const comparedAs = async (words: string): Promise<{ readonly level: string; readonly says: string }> => {
  let found = { level: '', says: '' }
  await until(`doctor says "${words}"`, async () => {
    const { findings } = JSON.parse((await hooklatch(directory, 'doctor', '--json')).out)
    found = findings.find(({ check }: { check: string }) => check === 'comparisons')
    return found.says.includes(words)
  })
  return found
}

/** What the button of the console does. */
const dryRun = async (local: RunningLocal) => {
  const { origin, searchParams } = new URL(local.console ?? '')
  const headers = { authorization: `Bearer ${searchParams.get('token')}`, 'content-type': 'application/json' }
  const at = (path: string, init = {}) => fetch(origin + path, { headers, ...init })
  const answer = await at('/api/comparisons/stripe', { method: 'POST', body: '{}' })
  const { comparisons } = (await (await at('/api/comparisons')).json()) as { comparisons: readonly unknown[] }
  return { status: answer.status, answer: await answer.json(), comparisons }
}

const end = async (local: RunningLocal): Promise<string> => {
  local.pressCtrlC()
  const { out, err } = await local.finished
  return out + err
}

beforeAll(async () => {
  stripe = await stubApi(stripeEvents(listed, KEY))
})

afterAll(async () => {
  await stripe?.close()
  endLocals()
})

describe('the schedule of reconcile in npm start', () => {
  it('takes what never came, answers its late webhook 200, and goes on with the next start', async () => {
    const first = await startAt(noon, { HOOKLATCH_API_KEY: KEY })
    expect(await comparedAs('1 listed, 1 missing, 1 taken')).toMatchObject({ level: 'ok' })
    expect(await post(first, listed[0], noon)).toBe(200)
    expect(await post(first, listed[1], noon)).toBe(202)
    const { timeline } = JSON.parse((await hooklatch(directory, 'show', 'evt_first', '--json')).out)
    const detail = "taken from the sender's own list by the schedule: every 5 minutes"
    expect(timeline).toContainEqual(expect.objectContaining({ what: 'received', detail }))
    expect(await end(first)).not.toContain(KEY)

    const later = noon + 20 * MINUTE
    listed.push({ id: 'evt_second', type: 'invoice.paid', at: later - 10 * MINUTE })
    const second = await startAt(later, { HOOKLATCH_API_KEY: KEY })
    expect(await comparedAs('3 listed, 1 missing, 1 taken')).toMatchObject({ level: 'ok' })
    expect(await post(second, listed[2], later)).toBe(200)
    await end(second)
  })

  it('a dry run in the console says what is missing, takes nothing, and is the last comparison from then on', async () => {
    const now = noon + 40 * MINUTE
    const local = await startAt(now, { HOOKLATCH_API_KEY: KEY })
    await comparedAs('3 listed, 0 missing, 0 taken')
    listed.push({ id: 'evt_of_the_console', type: 'invoice.paid', at: now - 10 * MINUTE })
    const last = { why: null, listed: 4, missing: 1, taken: 0 }
    expect(await dryRun(local)).toMatchObject({
      ...{ status: 200, answer: last },
      comparisons: [{ source: 'stripe', last: { ...last, actor: expect.not.stringContaining('schedule') } }],
    })
    expect(await comparedAs('4 listed, 1 missing, 0 taken')).toMatchObject({ level: 'warning' })
    listed.pop()
    await end(local)
  })

  it('without a key it says what to do, and the rest works', async () => {
    const now = noon + 60 * MINUTE
    const local = await startAt(now, {})
    const fix = 'No API key is set: npx hooklatch secrets set stripe --api-key'
    expect(await comparedAs(fix)).toMatchObject({ level: 'warning' })
    const detail = expect.stringContaining('No API key: set HOOKLATCH_API_KEY, or `npx hooklatch secrets set stripe')
    expect(await dryRun(local)).toMatchObject({ status: 409, answer: { detail } })
    expect(await post(local, { id: 'evt_third', type: 'invoice.paid', at: now }, now)).toBe(202)
    expect(await end(local)).toContain(`The source "stripe" was not compared with its sender's list: ${fix}`)
  })
})
