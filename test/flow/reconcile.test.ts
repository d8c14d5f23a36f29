import { createHmac } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { endLocals, hooklatch, hooklatchWith, type RunningLocal, startLocal, workplace } from '../support/local-rig.ts'
import {
  githubDeliveries,
  type StubDelivery,
  type StubEvent,
  stripeEvent,
  stripeEvents,
} from '../support/sender-stubs.ts'
import { stubApi } from '../support/stub-api.ts'

const SECRET = 'whsec_reconcile_0123456789abcdef'
const GITHUB_SECRET = 'github-reconcile-0123456789'
const KEY = 'rk_test_reconcile'

// A command is a process of its own, and takes seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const directory = workplace()
let local: RunningLocal
let stripe: Awaited<ReturnType<typeof stubApi>>
let github: Awaited<ReturnType<typeof stubApi>>

const began = Date.now()
const all: readonly StubEvent[] = Array.from({ length: 500 }, (_, number) => ({
  id: `evt_${number}`,
  type: number % 2 === 0 ? 'invoice.paid' : 'charge.refunded',
  at: began - number * 60_000,
}))
const missed = all.filter((_, number) => number % 13 === 5).slice(0, 37)

const pushes: readonly StubDelivery[] = ['a', 'b', 'c', 'd'].map((name, number) => ({
  id: `9f9c1a00-0000-4000-8000-00000000000${name}`,
  type: 'push',
  at: began - number * 60_000,
  delivery: 1_000 + number,
}))

const postStripe = async (event: StubEvent): Promise<number> => {
  const body = JSON.stringify(stripeEvent(event))
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` }
  return (await fetch(`${local.url}/webhooks/stripe`, { method: 'POST', headers, body })).status
}

const postGithub = async ({ id }: StubEvent): Promise<number> => {
  const body = JSON.stringify({ ref: 'refs/heads/main', id })
  const headers = {
    'content-type': 'application/json',
    'x-github-delivery': id,
    'x-github-event': 'push',
    'x-github-hook-id': '4711',
    'x-hub-signature-256': `sha256=${createHmac('sha256', GITHUB_SECRET).update(body).digest('hex')}`,
  }
  return (await fetch(`${local.url}/webhooks/github`, { method: 'POST', headers, body })).status
}

const file = (name: string, content: unknown): string => {
  writeFileSync(join(directory, name), JSON.stringify(content))
  return join(directory, name)
}

beforeAll(async () => {
  local = await startLocal(directory, [
    ...[
      '--source-file',
      file('sources.json', { stripe: { provider: 'stripe' }, github: { provider: 'github', account: 'acme/shop' } }),
    ],
    ...['--secrets', file('secrets.json', { stripe: [SECRET], github: [GITHUB_SECRET] })],
  ])
  stripe = await stubApi(stripeEvents(all, KEY))
  const hook = { id: 4711, url: `${local.url}/webhooks/github`, repository: 'acme/shop' }
  github = await stubApi(githubDeliveries(pushes, hook, async delivery => void (await postGithub(delivery))))
})

afterAll(async () => {
  await stripe?.close()
  await github?.close()
  endLocals()
})

const reconcile = (...args: string[]) => hooklatchWith({ HOOKLATCH_API_KEY: KEY }, directory, 'reconcile', ...args)

describe('reconcile against a local instance', () => {
  it('500 events of which 37 never came: exactly those are named and taken, a second run finds nothing, and a late webhook is a 200', async () => {
    for (const event of all) if (!missed.includes(event)) expect(await postStripe(event)).toBe(202)
    const flags = ['stripe', '--json', '--api-url', stripe.url, '--rate', '100/s']

    const dry = await reconcile(...flags, '--dry-run')
    expect({ code: dry.code, err: dry.err }).toEqual({ code: 3, err: '' })
    const found = JSON.parse(dry.out)
    expect(found).toMatchObject({
      source: 'stripe',
      listed: 500,
      known: 463,
      taken: 0,
      redelivered: 0,
      unknown: 0,
      next: null,
    })
    expect(found.missing.map(({ eventId }: { eventId: string }) => eventId).sort()).toEqual(
      missed.map(({ id }) => id).sort(),
    )

    const took = await reconcile(...flags, '--yes', '--reason', 'the endpoint was disabled')
    expect({ code: took.code, err: took.err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(took.out)).toMatchObject({ listed: 500, known: 463, taken: 37, redelivered: 0 })

    const again = await reconcile(...flags, '--yes', '--reason', 'to be sure')
    expect({ code: again.code, ...JSON.parse(again.out) }).toMatchObject({ code: 0, known: 500, missing: [], taken: 0 })

    const [late] = missed
    expect(late && (await postStripe(late))).toBe(200)
    const shown = JSON.parse((await hooklatch(directory, 'show', late?.id ?? '', '--json')).out)
    expect(shown.timeline).toContainEqual(
      expect.objectContaining({
        what: 'received',
        detail: expect.stringMatching(/taken from the sender's own list by .+: the endpoint was disabled/),
      }),
    )
  })

  it('types of which nothing ever came, and a time that the list or our memory does not reach, are told', async () => {
    const stub = await stubApi(
      stripeEvents([...all.slice(0, 3), { id: 'evt_new', type: 'radar.early_fraud_warning.created', at: began }]),
    )
    const { code, err } = await reconcile('stripe', '--dry-run', '--since', '60d', '--api-url', stub.url)
    await stub.close()
    expect(code).toBe(3)
    expect(err).toContain('Nothing of these types ever came: radar.early_fraud_warning.created.')
    expect(err).toContain('The list of Stripe goes back 30d: what is older is not in it.')
    expect(err).toMatch(
      /Events of "stripe" are remembered long enough to compare the last \d\d days: the run begins there/,
    )
  })

  it('a list of events that nobody here knows is not taken, since it may be that of another account', async () => {
    const stub = await stubApi(stripeEvents([{ id: 'evt_of_a_stranger', type: 'invoice.paid', at: began }]))
    const { code, err, out } = await reconcile('stripe', '--yes', '--reason', 'x', '--json', '--api-url', stub.url)
    await stub.close()
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 3, listed: 1, taken: 0 })
    expect(err).toContain('None of the 1 that the sender lists is known here')
  })

  it('GitHub delivers again what never arrived, and it is watched until it is here', async () => {
    const [first] = pushes
    expect(first && (await postGithub(first))).toBe(202)
    const run = (...more: string[]) =>
      hooklatchWith(
        { HOOKLATCH_API_KEY: 'github_pat_stub' },
        directory,
        'reconcile',
        'github',
        '--json',
        '--api-url',
        github.url,
        '--rate',
        '100',
        ...more,
      )
    const dry = await run('--dry-run')
    expect({ code: dry.code, ...JSON.parse(dry.out) }).toMatchObject({
      code: 3,
      listed: 4,
      known: 1,
      missing: [{}, {}, {}],
    })
    const took = await run('--yes', '--reason', 'outage')
    expect({ code: took.code, ...JSON.parse(took.out) }).toMatchObject({ code: 0, redelivered: 3, taken: 0 })
    expect(JSON.parse((await run('--dry-run')).out)).toMatchObject({ known: 4, missing: [] })
  })

  it('a stored API key is for its owner alone, is used, is never printed, and goes to no other host', async () => {
    writeFileSync(join(directory, 'stripe.key'), `${KEY}\n`)
    const set = await hooklatchFed(join(directory, 'stripe.key'), 'secrets', 'set', 'stripe', '--api-key')
    expect(set).toMatchObject({ code: 0, out: 'The API key of "stripe" is set.\n' })
    expect(set.err).toContain('a restricted key with read access to Events')
    const kept = join(directory, '.hooklatch/api-keys.json')
    expect(statSync(kept).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({ stripe: [KEY] })
    const ran = await hooklatch(
      directory,
      'reconcile',
      'stripe',
      '--dry-run',
      '--json',
      '--api-url',
      stripe.url,
      '--rate',
      '100/s',
    )
    expect(JSON.parse(ran.out)).toMatchObject({ listed: 500 })
    const elsewhere = await hooklatch(
      directory,
      'reconcile',
      'stripe',
      '--dry-run',
      '--api-url',
      'https://stripe.example',
    )
    expect(elsewhere).toMatchObject({ code: 2, err: expect.stringContaining('a stored API key is sent to loopback') })
    expect([set, ran, elsewhere].map(({ out, err }) => out + err).join()).not.toContain(KEY)
  })

  it.each([
    ['without a key', {}, ['github', '--dry-run'], 1, 'No API key: set HOOKLATCH_API_KEY'],
    ['a wrong key', { HOOKLATCH_API_KEY: 'rk_wrong' }, ['stripe', '--dry-run'], 1, 'does not accept the API key (401)'],
    ['a rate that is none', { HOOKLATCH_API_KEY: KEY }, ['stripe', '--rate', 'fast'], 2, '--rate fast is not a rate'],
    [
      'a time that ends before it begins',
      { HOOKLATCH_API_KEY: KEY },
      ['stripe', '--since', '1h', '--until', '2h', '--dry-run'],
      2,
      '--since is not before --until',
    ],
    ['an unknown source', { HOOKLATCH_API_KEY: KEY }, ['strip', '--dry-run'], 1, 'did you mean "stripe"?'],
  ])('%s: %j', async (_, env, args, code, sentence) => {
    const ended = await hooklatchWith(env, directory, 'reconcile', ...args, '--api-url', stripe.url)
    expect(ended).toMatchObject({ code, err: expect.stringContaining(sentence) })
    expect(ended.err).not.toContain('rk_wrong')
  })
})

const hooklatchFed = async (path: string, ...args: string[]) => {
  const { spawnSync } = await import('node:child_process')
  const cli = join(import.meta.dirname, '../../bin/hooklatch.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: directory,
    input: readFileSync(path),
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}
