import { statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  endLocals,
  eventually,
  hooklatch,
  hooklatchOn,
  type RunningLocal,
  startLocal,
  until,
  workplace,
} from '../support/local-rig.ts'

afterAll(endLocals)

const directory = workplace()
let local: RunningLocal
let origin: string
let token: string

beforeAll(async () => {
  local = await startLocal(directory)
  const url = new URL(local.console ?? '')
  origin = url.origin
  token = url.searchParams.get('token') ?? ''
})

type Sent = { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** With node:http, since fetch lets nobody choose a Host. */
const ask = (path: string, { method = 'GET', headers = {}, body }: Sent = {}) =>
  new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const sent = request(`${origin}${path}`, { method, headers }, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', chunk => (text += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })

const api = async (path: string, sent: Sent = {}) => {
  const headers = { authorization: `Bearer ${token}`, ...sent.headers }
  const answer = await ask(path, { ...sent, headers })
  return { status: answer.status, json: JSON.parse(answer.text) }
}

const post = (path: string, body: unknown) =>
  api(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

describe('who may come in', () => {
  it('the console answers who has the token of this run, in a header or in the URL that was printed', async () => {
    expect((await api('/api/events')).status).toBe(200)
    expect((await ask(`/api/events?token=${token}`)).status).toBe(200)
    expect((await ask(`/?token=${token}`)).status).toBe(200)
  })

  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['a cookie', { cookie: 'token=anything' }],
  ])('the console answers nobody with %s', async (_, headers) => {
    for (const path of ['/api/events', '/api/stream', '/api/nowhere', '/api']) {
      const answer = await ask(path, { headers })
      expect([path, answer.status]).toEqual([path, 401])
      expect(answer.headers['content-type']).toBe('application/problem+json')
    }
  })

  it.each([
    ['a name that was pointed at 127.0.0.1', { host: 'evil.example' }],
    ['our address with another port', { host: '127.0.0.1:1' }],
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a request that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
  ])('the console answers nobody from %s, even with the token', async (_, headers) => {
    const answer = await ask(`/api/events?token=${token}`, { headers })
    expect(answer.status).toBe(403)
    expect((await ask('/', { headers })).status).toBe(403)
  })

  it('the console answers 400 to an address that is none, and looks at the Host before', async () => {
    expect((await ask('//[')).status).toBe(400)
    expect((await ask('//[', { headers: { host: 'evil.example' } })).status).toBe(403)
  })

  it('the console sends browsers a strict content security policy, no cookie and no CORS header', async () => {
    for (const path of ['/', '/app.js', '/api/events']) {
      const { headers } = await ask(path)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
      expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' })
      expect(headers).not.toHaveProperty('set-cookie')
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
    expect((await ask('/')).text).not.toContain(token)
  })

  it('the token of the console is in a file that only its owner can read', () => {
    expect(statSync(join(directory, '.hooklatch/local.json')).mode & 0o077).toBe(0)
  })
})

describe('the API', () => {
  const done = (path: string) =>
    eventually(
      'its end',
      () => api(path),
      ({ json }) => json.events?.length > 0 && json.events[0].status === 'done',
    )

  it('the API of the console lists, filters and pages as the address says', async () => {
    for (const name of ['stripe', 'github', 'shopify']) expect((await hooklatch(directory, 'send', name)).code).toBe(0)
    await done('/api/events?source=stripe')
    const { json: first } = await api('/api/events?limit=2')
    expect(first.events.map((event: { source: string }) => event.source)).toEqual(['shopify', 'github'])
    const { json: second } = await api(`/api/events?limit=2&after=${encodeURIComponent(first.next)}`)
    expect(second.events.map((event: { source: string }) => event.source)).toEqual(['stripe'])
    expect((await api('/api/events?type=issues')).json.events).toMatchObject([{ source: 'github' }])
    expect((await api('/api/events?q=ORDERS')).json.events).toMatchObject([{ source: 'shopify' }])
    expect((await api('/api/events?from=2100-01-01T00:00:00Z')).json.events).toEqual([])
  })

  it('the API of the console replays an event once, however often it is asked for the same generation', async () => {
    const { json: before } = await done('/api/events?source=stripe')
    const [{ id }] = before.events
    const asked = await Promise.all(
      [1, 2, 3].map(() => post(`/api/events/${id}/replay`, { reason: 'a test', generation: 0 })),
    )
    expect(asked.map(answer => answer.status).sort()).toEqual([202, 409, 409])
    const { json: after } = await eventually(
      'its second end',
      () => api(`/api/events/${id}`),
      ({ json }) => json.status === 'done' && json.generation === 1,
    )
    expect(after.audit).toMatchObject([{ act: 'replay', reason: 'a test', generation: 1 }])
  })

  it.each([
    ['GET', '/api/events?limit=0', '', 400, 'limit=0'],
    ['GET', '/api/events?status=lost', '', 400, 'status=lost'],
    ['GET', '/api/events?from=noon', '', 400, 'from=noon'],
    ['GET', '/api/events?after=x', '', 400, 'after=x'],
    ['GET', '/api/stats?hours=x', '', 400, 'hours=x'],
    ['GET', '/api/events/nothing', '', 404, 'nothing'],
    ['GET', '/api/events/%', '', 404, '/api/events/%'],
    ['GET', '/api/else', '', 404, '/api/else'],
    ['DELETE', '/api/events', '', 405, 'GET'],
    ['POST', '/api/events/nothing/replay', '{"reason":"why not"}', 404, 'There is no such event'],
    ['POST', '/api/events/nothing/replay', '{"reason":" "}', 400, 'reason'],
    ['POST', '/api/events/nothing/replay', '[]', 400, 'JSON object'],
    ['POST', '/api/events/nothing/replay', '{"reason":"why not","generation":"0"}', 400, 'generation'],
    ['POST', '/api/redrive', '{"reason":"why not","id":"x","generation":0.5}', 400, 'generation'],
    ['POST', '/api/redrive', '{"reason":"why not"}', 400, 'id'],
    ['POST', '/api/replays', '{"reason":"why not"}', 400, 'expected'],
    ['POST', '/api/replays/plan', '{"status":"queued"}', 400, 'queued'],
    ['POST', '/api/quarantine/stripe/nothing/reverify', '{}', 404, 'no longer kept'],
    ['POST', '/api/captures', '{"source":"strip"}', 404, 'no source "strip"'],
    ['POST', '/api/captures', '{"source":"stripe","minutes":"10"}', 400, 'minutes'],
    ['POST', '/api/captures', '{"source":"stripe","minutes":10081}', 400, 'minutes'],
    ['POST', '/api/captures', '{"source":"stripe","answer":200}', 400, 'answer'],
    ['POST', '/api/captures', '{"source":"github","answer":500}', 409, 'never retries'],
    ['POST', '/api/captures/strip/stop', '{}', 404, 'no source "strip"'],
    ['GET', '/api/captures/stripe/nothing', '', 404, 'no longer kept'],
    ['GET', '/api/captures/stripe/compare?first=a&second=b', '', 404, 'no longer kept'],
  ])('the API of the console answers %s %s %s with %i and a sentence', async (method, path, body, status, words) => {
    const headers = body === '' ? {} : { 'content-type': 'application/json' }
    const { json, ...answer } = await api(path, { method, headers, body })
    expect([answer.status, json.status]).toEqual([status, status])
    expect(json.detail).toContain(words)
  })

  it('the API of the console starts a capture, lists, shows and compares what was captured, and stops it', async () => {
    const started = await post('/api/captures', { source: 'stripe', minutes: 30 })
    expect(started).toMatchObject({ status: 200, json: { source: 'stripe', answer: null, takesEffect: 'at once' } })
    const sent = await hooklatch(directory, 'send', 'stripe', '--id', 'evt_twice', '--times', '2')
    expect(sent.code).toBe(0)
    const { json } = await eventually(
      'both deliveries',
      () => api('/api/captures?source=stripe'),
      answer => answer.json.deliveries?.length === 2,
    )
    expect(json.sources.find(({ source }: { source: string }) => source === 'stripe')).toMatchObject({
      until: started.json.until,
    })
    const [second, first] = json.deliveries
    const keys = new URLSearchParams({ first: first.key, second: second.key })
    expect((await api(`/api/captures/stripe/compare?${keys}`)).json).toMatchObject({
      sameEventId: true,
      sameBody: true,
      body: [],
    })
    const shown = (await api(`/api/captures/stripe/${encodeURIComponent(first.key)}`)).json
    expect(shown).toMatchObject({ eventId: 'evt_twice', method: 'POST' })
    expect(JSON.stringify(shown.headers)).toContain('[REDACTED]')
    expect((await post('/api/captures/stripe/stop', {})).json).toMatchObject({ source: 'stripe', until: null })
    expect((await api('/api/captures')).json.sources.every(({ until }: { until: unknown }) => until === null)).toBe(
      true,
    )
  })

  it('the API of the console takes an act only as JSON, which no form can send', async () => {
    const body = '{"reason":"why not","id":"x"}'
    const headers = { 'content-type': 'text/plain' }
    expect((await api('/api/redrive', { method: 'POST', headers, body })).status).toBe(415)
  })
})

describe('npx hooklatch console', () => {
  it('hooklatch console opens a console on the running local instance, until Ctrl-C', async () => {
    const opened = hooklatchOn(directory, 'console')
    await until('its URL', () => opened.out().includes('?token='))
    const url = new URL(/http:\S+/.exec(opened.out())?.[0] ?? '')
    expect(url.origin).not.toBe(origin)
    const answer = await fetch(`${url.origin}/api/sources${url.search}`)
    expect(await answer.json()).toMatchObject({ place: 'local' })
    opened.pressCtrlC()
    expect((await opened.finished).code).toBe(0)
  })

  it('hooklatch console says what is wrong with a port, and that there is nothing to look at', async () => {
    const taken = await hooklatch(directory, 'console', '--console-port', new URL(origin).port)
    expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('choose another with --console-port') })
    expect(await hooklatch(directory, 'console', '--console-port', 'high')).toMatchObject({ code: 2 })
    const nowhere = await hooklatch(workplace(), 'console')
    expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('npm start') })
  })
})

describe('destinations in the console', () => {
  const destinations = async () => (await api('/api/destinations')).json.destinations

  it('a destination is paused and resumed with a reason, which is on record with who did it', async () => {
    expect(await destinations()).toEqual([{ name: 'worker', kind: 'worker', pause: null }])
    expect(await post('/api/destinations/worker/pause', { reason: 'deploying', minutes: 5 })).toMatchObject({
      status: 200,
      json: { kind: 'paused', destination: 'worker' },
    })
    const [{ pause }] = await destinations()
    expect(pause).toMatchObject({ reason: 'deploying', actor: expect.any(String) })
    expect(Date.parse(pause.until) - Date.parse(pause.since)).toBe(5 * 60_000)
    expect(await post('/api/destinations/worker/resume', { reason: 'deployed' })).toMatchObject({
      status: 200,
      json: { kind: 'resumed' },
    })
    expect(await destinations()).toMatchObject([{ pause: null }])
  })

  it.each([
    ['/api/destinations/worker/pause', {}, 400, /why/],
    ['/api/destinations/worker/pause', { reason: 'x', minutes: 0 }, 400, /from 1 to 10080/],
    ['/api/destinations/worker/pause', { reason: 'x', minutes: 10_081 }, 400, /from 1 to 10080/],
    ['/api/destinations/worker/resume', {}, 400, /why/],
    ['/api/destinations/crm/pause', { reason: 'x' }, 404, /there are worker/],
  ])('a request to %s with %j is answered %d, and pauses nothing', async (path, body, status, detail) => {
    expect(await post(path, body)).toMatchObject({ status, json: { detail: expect.stringMatching(detail) } })
    expect(await destinations()).toMatchObject([{ pause: null }])
  })
})
