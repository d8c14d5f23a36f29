import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { endLocals, hooklatchWith, type RunningLocal, startLocal, workplace } from '../support/local-rig.ts'
import { type StubEndpoint, stripeEndpoints } from '../support/sender-stubs.ts'
import { stubApi } from '../support/stub-api.ts'

const SECRET = 'whsec_connect_0123456789abcdef01'
const KEY = 'sk_test_connect'

// A command is a process of its own, and takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const routes = [{ when: { type: ['invoice.paid', 'charge.refunded'] }, to: 'worker' }]
const directory = workplace()
const endpoints: StubEndpoint[] = []
let local: RunningLocal
let stripe: Awaited<ReturnType<typeof stubApi>>

beforeAll(async () => {
  const file = (name: string, content: unknown): string => {
    writeFileSync(join(directory, name), JSON.stringify(content))
    return join(directory, name)
  }
  local = await startLocal(directory, [
    ...[
      '--source-file',
      file('sources.json', {
        stripe: { provider: 'stripe', routes },
        slack: { provider: 'slack' },
        gitlab: {
          provider: 'gitlab',
          account: 'acme/shop',
          routes: [{ when: { type: ['Push Hook'] }, to: 'worker' }],
        },
      }),
    ],
    ...[
      '--secrets',
      file('secrets.json', { slack: ['8f742231b10e8888abcd99yyyzzz85a5'], gitlab: ['gitlab-token-0123456789'] }),
    ],
  ])
  const answer = stripeEndpoints(endpoints, SECRET)
  stripe = await stubApi(asked =>
    asked.headers.authorization === `Bearer ${KEY}`
      ? (answer(asked) ?? { status: 404, body: {} })
      : { status: 401, body: { error: { message: 'Invalid API Key provided' } } },
  )
})

afterAll(async () => {
  await stripe?.close()
  endLocals()
})

const cli = (...args: string[]) =>
  hooklatchWith({ HOOKLATCH_API_KEY: KEY }, directory, ...args, '--api-url', stripe.url)

const postStripe = async (id: string): Promise<number> => {
  const body = JSON.stringify({ id, object: 'event', type: 'invoice.paid' })
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` }
  return (await fetch(`${local.url}/webhooks/stripe`, { method: 'POST', headers, body })).status
}

describe('connect stripe', () => {
  it('a dry run says what would be done, and neither makes an endpoint nor stores a secret', async () => {
    const dry = await cli('connect', 'stripe', '--types', 'invoice.paid', '--dry-run', '--json')
    expect({ code: dry.code, ...JSON.parse(dry.out) }).toMatchObject({
      code: 0,
      action: 'created',
      types: ['invoice.paid'],
      dryRun: true,
    })
    expect(endpoints).toEqual([])
    expect(await postStripe('evt_early')).toBe(503)
  })

  it('the endpoint is there, its secret works at once and is never printed, and a second call changes nothing', async () => {
    const first = await cli('connect', 'stripe', '--types', 'invoice.paid,charge.refunded')
    expect(first).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Its secret is stored.') })
    const made = [
      {
        id: 'we_1',
        url: `${local.url}/webhooks/stripe`,
        enabled_events: ['invoice.paid', 'charge.refunded'],
        status: 'enabled',
      },
    ]
    expect(endpoints).toEqual(made)
    expect(await postStripe('evt_1')).toBe(202)
    const second = await cli('connect', 'stripe', '--types', 'invoice.paid,charge.refunded', '--json')
    expect(JSON.parse(second.out)).toMatchObject({ action: 'unchanged', secret: 'kept' })
    expect(endpoints).toEqual(made)
    expect(first.out + first.err + second.out + second.err).not.toContain(SECRET)
  })

  it('once the sender has disabled it, status and doctor say so, and connect enables it again', async () => {
    const [ours] = endpoints
    if (ours) ours.status = 'disabled'
    const status = await cli('connect', 'stripe', '--status', '--json')
    expect({ code: status.code, ...JSON.parse(status.out) }).toMatchObject({
      code: 1,
      connected: true,
      endpoints: [{ id: 'we_1', enabled: false }],
    })
    const doctor = await cli('doctor', '--json')
    expect(JSON.parse(doctor.out).findings).toContainEqual({
      check: 'senders',
      level: 'wrong',
      subject: 'stripe',
      says: 'Stripe has disabled our endpoint: nothing is delivered',
      fix: 'npx hooklatch connect stripe',
    })
    expect(doctor.code).toBe(1)
    expect(JSON.parse((await cli('connect', 'stripe', '--json')).out)).toMatchObject({
      action: 'updated',
      types: ['invoice.paid', 'charge.refunded'],
    })
    expect(endpoints).toMatchObject([{ status: 'enabled', enabled_events: ['invoice.paid', 'charge.refunded'] }])
    expect(JSON.parse((await cli('doctor', '--json')).out).findings).toContainEqual(
      expect.objectContaining({ check: 'senders', level: 'ok' }),
    )
  })

  it('a type that a route wants and the sender does not send is found by doctor, and connect adds it', async () => {
    Object.assign(endpoints[0] ?? {}, { enabled_events: ['invoice.paid'] })
    expect(JSON.parse((await cli('doctor', '--json')).out).findings).toContainEqual({
      check: 'senders',
      level: 'warning',
      subject: 'stripe',
      says: 'Stripe does not send these types, which routes want: charge.refunded',
      fix: 'npx hooklatch connect stripe',
    })
    expect(JSON.parse((await cli('connect', 'stripe', '--json')).out)).toMatchObject({ action: 'updated' })
    expect(endpoints).toMatchObject([{ enabled_events: ['invoice.paid', 'charge.refunded'] }])
  })

  it('a sender with words of its own for types is told none of the routes: GitLab would switch off what it does not find', async () => {
    const made = { id: 9, url: `${local.url}/webhooks/gitlab`, push_events: true, alert_status: 'executable' }
    const hooks: object[] = []
    const gitlab = await stubApi(() => ({ body: hooks }))
    const connect = (...args: string[]) =>
      hooklatchWith({ HOOKLATCH_API_KEY: 'glpat-1' }, directory, 'connect', 'gitlab', ...args, '--api-url', gitlab.url)
    const none = await connect()
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('such as --types push') })
    hooks.push(made)
    expect(JSON.parse((await connect('--json')).out)).toMatchObject({ action: 'unchanged', types: ['push'] })
    await gitlab.close()
    expect(gitlab.asked.map(({ method }) => method)).toEqual(['GET', 'GET'])
  })

  it('disconnect asks first, takes our endpoint away and no other, and doctor misses it', async () => {
    endpoints.push({ id: 'we_other', url: 'https://other.example', enabled_events: ['*'], status: 'enabled' })
    expect(await cli('disconnect', 'stripe')).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
    expect(JSON.parse((await cli('disconnect', 'stripe', '--yes', '--json')).out)).toMatchObject({ removed: 1 })
    expect(endpoints.map(({ id }) => id)).toEqual(['we_other'])
    expect(JSON.parse((await cli('doctor', '--json')).out).findings).toContainEqual(
      expect.objectContaining({
        check: 'senders',
        level: 'wrong',
        says: expect.stringContaining('has no endpoint with the URL'),
      }),
    )
  })

  it.each([
    ['a sender without an API of this kind is done by hand', ['connect', 'slack'], 0, 'Create a webhook at Slack'],
    ['a source that is none', ['connect', 'strip'], 1, 'did you mean "stripe"?'],
  ])('%s', async (_, args, code, says) => {
    const ended = await cli(...args)
    expect(ended).toMatchObject({ code })
    expect(ended.out + ended.err).toContain(says)
  })

  it('doctor sends a key of the environment to no sender whose keys look different', async () => {
    const doctor = async (key: string) => {
      const { out } = await hooklatchWith(
        { HOOKLATCH_API_KEY: key },
        directory,
        'doctor',
        '--json',
        '--api-url',
        stripe.url,
      )
      return JSON.parse(out).findings.filter(({ check }: { check: string }) => check === 'senders')
    }
    const before = stripe.asked.length
    expect(await doctor('ghp_of_github')).toEqual([])
    expect(stripe.asked).toHaveLength(before)
    expect(await doctor('sk_test_wrong')).toMatchObject([
      { level: 'unknown', says: expect.stringContaining('does not accept the API key') },
    ])
  })

  it('a local URL is not registered at the real sender, which could not reach it', async () => {
    const ended = await hooklatchWith({ HOOKLATCH_API_KEY: KEY }, directory, 'connect', 'stripe')
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('Stripe cannot reach http://127.0.0.1') })
  })
})
