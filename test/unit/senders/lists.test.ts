import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../functions/domain/delivery.ts'
import type { Verified } from '../../../functions/domain/evidence.ts'
import { actsOf } from '../../../functions/operate/acts.ts'
import type { CompareOrder } from '../../../functions/operate/compare-sent.ts'
import { reconcile } from '../../../functions/operate/reconcile.ts'
import { identify } from '../../../functions/receive/identify.ts'
import { split } from '../../../functions/receive/split.ts'
import { NOON } from '../../support/events.ts'
import { httpOf, type StubAnswer, type StubRequest } from '../../support/stub-api.ts'
import { wholeRig } from '../../support/whole-rig.ts'

const AT = new Date(NOON - 60_000).toISOString()
const SECONDS = Math.floor((NOON - 60_000) / 1000)
const KEY = 'key-of-the-test'
const OURS = 'https://hooks.example.com/webhooks/it'

interface Sample {
  readonly provider: string
  readonly account?: string
  readonly key?: string
  readonly config?: Readonly<Record<string, string>>
  /** What every call but that for a token has to bring. */
  readonly shows: Readonly<Record<string, string>>
  readonly host: string
  /** Two pages with an event each, as the sender's documents show them. */
  readonly api: (asked: StubRequest) => StubAnswer
  /** The webhook of the first event, as its receiver gets it. */
  readonly webhook: { readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
  readonly ids: readonly [string, string]
}

const paypalEvent = (id: string) => ({ id, create_time: AT, event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: {} })
const chargebeeEvent = (id: string) => ({
  id,
  occurred_at: SECONDS,
  event_type: 'payment_succeeded',
  object: 'event',
  content: {},
})
const paddleEvent = (id: string) => ({ event_id: id, event_type: 'transaction.completed', occurred_at: AT, data: {} })
const squareEvent = (id: string) => ({
  merchant_id: 'M1',
  type: 'payment.updated',
  event_id: id,
  created_at: AT,
  data: {},
})
const goCardlessEvent = (id: string) => ({
  id,
  created_at: AT,
  resource_type: 'payments',
  action: 'confirmed',
  links: {},
})
const oktaEvent = (uuid: string) => ({ uuid, published: AT, eventType: 'user.session.start' })
const gitlabEvent = (key: string) => ({
  id: 1,
  url: OURS,
  trigger: 'push_hooks',
  request_headers: {
    'Content-Type': 'application/json',
    'Idempotency-Key': key,
    'X-Gitlab-Event': 'Push Hook',
    'X-Gitlab-Token': '[REDACTED]',
  },
  request_data: { object_kind: 'push', ref: 'refs/heads/main' },
  response_status: '503',
})
const githubDelivery = (guid: string, id: number) => ({ id, guid, delivered_at: AT, event: 'push', status_code: 503 })

const HEADERS_OF_GITHUB = { 'x-github-delivery': 'guid-1', 'x-github-event': 'push', 'x-github-hook-id': '4711' }

/** A list behind a link header. */
const linked = (path: string, pages: readonly [unknown, unknown], asked: StubRequest): StubAnswer => ({
  body: asked.search.has('after') ? [pages[1]] : [pages[0]],
  headers: asked.search.has('after') ? {} : { link: `<https://elsewhere.example${path}?after=1>; rel="next"` },
})

const SAMPLES: readonly Sample[] = [
  {
    provider: 'paddle',
    key: 'pdl_live_1',
    host: 'api.paddle.com',
    shows: { authorization: 'Bearer pdl_live_1' },
    api: ({ search }) => ({
      body: {
        data: [paddleEvent(search.has('after') ? 'evt_2' : 'evt_1')],
        meta: { pagination: { next: 'https://api.paddle.com/events?after=evt_1', has_more: !search.has('after') } },
      },
    }),
    webhook: { body: { ...paddleEvent('evt_1'), notification_id: 'ntf_1' } },
    ids: ['evt_1', 'evt_2'],
  },
  {
    provider: 'square',
    account: 'sandbox',
    host: 'connect.squareupsandbox.com',
    shows: { authorization: `Bearer ${KEY}` },
    api: ({ method, path, body }) => {
      const { cursor, query } = JSON.parse(body)
      if (method !== 'POST' || path !== '/v2/events' || !query.filter.created_at.start_at)
        return { status: 400, body: {} }
      return {
        body: {
          events: [squareEvent(cursor === 'c1' ? 'sq-2' : 'sq-1')],
          ...(cursor === undefined && { cursor: 'c1' }),
        },
      }
    },
    webhook: { body: squareEvent('sq-1') },
    ids: ['sq-1', 'sq-2'],
  },
  {
    provider: 'paypal',
    key: 'client:secret',
    config: { webhook_id: 'WH1' },
    host: 'api-m.paypal.com',
    shows: { authorization: 'Bearer A21' },
    api: ({ path, search, headers }) => {
      if (path === '/v1/oauth2/token') {
        return headers.authorization === `Basic ${btoa('client:secret')}`
          ? { body: { access_token: 'A21' } }
          : { status: 401, body: {} }
      }
      const more = { href: 'https://api-m.paypal.com/v1/notifications/webhooks-events?next_page_token=2', rel: 'next' }
      const isLast = search.has('next_page_token')
      return {
        body: {
          events: [paypalEvent(isLast ? 'WH-2' : 'WH-1')],
          links: [{ href: 'x', rel: 'self' }, ...(isLast ? [] : [more])],
        },
      }
    },
    webhook: { headers: { 'paypal-transmission-id': 'tid-1' }, body: paypalEvent('WH-1') },
    ids: ['WH-1', 'WH-2'],
  },
  {
    provider: 'gocardless',
    host: 'api.gocardless.com',
    shows: { authorization: `Bearer ${KEY}`, 'gocardless-version': '2015-07-06' },
    api: ({ search }) => ({
      body: {
        events: [goCardlessEvent(search.get('after') === 'EV1' ? 'EV2' : 'EV1')],
        meta: { cursors: { before: null, after: search.has('after') ? null : 'EV1' }, limit: 100 },
      },
    }),
    webhook: { body: { events: [goCardlessEvent('EV1')], meta: { webhook_id: 'WB1' } } },
    ids: ['EV1', 'EV2'],
  },
  {
    provider: 'chargebee',
    account: 'acme-test',
    host: 'acme-test.chargebee.com',
    shows: { authorization: `Basic ${btoa(`${KEY}:`)}` },
    api: ({ search }) => ({
      body: {
        list: [{ event: chargebeeEvent(search.has('offset') ? 'ev_2' : 'ev_1') }],
        ...(!search.has('offset') && { next_offset: '["1","2"]' }),
      },
    }),
    webhook: { body: chargebeeEvent('ev_1') },
    ids: ['ev_1', 'ev_2'],
  },
  {
    provider: 'okta',
    account: 'acme',
    host: 'acme.okta.com',
    shows: { authorization: `SSWS ${KEY}` },
    api: asked => linked('/api/v1/logs', [oktaEvent('uuid-1'), oktaEvent('uuid-2')], asked),
    webhook: { body: { eventId: 'of-the-hook', data: { events: [oktaEvent('uuid-1')] } } },
    ids: ['uuid-1', 'uuid-2'],
  },
  {
    provider: 'gitlab',
    account: 'acme/shop',
    host: 'gitlab.com',
    shows: { 'private-token': KEY },
    api: asked => {
      if (asked.path === '/api/v4/projects/acme%2Fshop/hooks')
        return { body: [{ id: 9, url: OURS, alert_status: 'executable' }] }
      const path = '/api/v4/projects/acme%2Fshop/hooks/9/events'
      return asked.path === path
        ? linked(path, [gitlabEvent('key-1'), gitlabEvent('key-2')], asked)
        : { status: 404, body: {} }
    },
    webhook: { headers: { 'idempotency-key': 'key-1', 'x-gitlab-event': 'Push Hook' }, body: { object_kind: 'push' } },
    ids: ['key-1', 'key-2'],
  },
  {
    provider: 'github',
    account: 'acme',
    host: 'api.github.com',
    shows: { authorization: `Bearer ${KEY}`, accept: 'application/vnd.github+json' },
    api: asked => {
      if (asked.path === '/orgs/acme/hooks')
        return { body: [{ id: 4711, config: { url: OURS }, active: true, events: ['push'] }] }
      if (asked.method === 'POST') return { status: 202, body: {} }
      const path = '/orgs/acme/hooks/4711/deliveries'
      return asked.path === path
        ? linked(path, [githubDelivery('guid-1', 1), githubDelivery('guid-2', 2)], asked)
        : { status: 404, body: {} }
    },
    webhook: { headers: HEADERS_OF_GITHUB, body: { ref: 'refs/heads/main' } },
    ids: ['guid-1', 'guid-2'],
  },
  {
    provider: 'github',
    account: 'app',
    host: 'api.github.com',
    shows: { authorization: `Bearer ${KEY}` },
    api: asked => {
      if (asked.path === '/app/hook/deliveries/1')
        return { body: { request: { headers: { 'X-GitHub-Hook-ID': '4711' } } } }
      if (asked.method === 'POST') return { status: 202, body: {} }
      return linked('/app/hook/deliveries', [githubDelivery('guid-1', 1), githubDelivery('guid-2', 2)], asked)
    },
    webhook: { headers: HEADERS_OF_GITHUB, body: { ref: 'refs/heads/main' } },
    ids: ['guid-1', 'guid-2'],
  },
  {
    provider: 'contentful',
    account: 'space1/webhooks/hook1',
    host: 'api.contentful.com',
    shows: { authorization: `Bearer ${KEY}` },
    api: ({ path, search }) => {
      const [, call] = /^\/spaces\/space1\/webhooks\/hook1\/calls\/(call\d)$/.exec(path) ?? []
      if (call) {
        const headers = {
          'X-Contentful-Topic': 'ContentManagement.Entry.publish',
          'X-Contentful-Idempotency-Key': `idem-${call}`,
        }
        return { body: { request: { headers, body: '{"sys":{"id":"entry"}}', method: 'POST', url: OURS } } }
      }
      const one = {
        eventType: 'publish',
        requestAt: AT,
        statusCode: 503,
        sys: { id: search.get('skip') === '1' ? 'call2' : 'call1' },
      }
      return { body: { items: [one], total: 2, skip: Number(search.get('skip') ?? 0), limit: 100 } }
    },
    webhook: {
      headers: {
        'x-contentful-idempotency-key': 'idem-call1',
        'x-contentful-topic': 'ContentManagement.Entry.publish',
      },
      body: {},
    },
    ids: ['idem-call1', 'idem-call2'],
  },
]

const setUp = ({ provider, account, key = KEY, api, config = {} }: Sample) => {
  const at = wholeRig({ sources: { it: { provider, config, ...(account && { account }) } } })
  const asked: StubRequest[] = []
  const acts = actsOf({ ...at.world, http: httpOf(api, asked), pause: async () => {} }, 'ada')
  const order = {
    source: 'it',
    apiKey: key,
    since: NOON - 3_600_000,
    types: [],
    after: null,
    url: OURS,
    rate: 5,
    except: [],
  }
  const run = (more: Partial<CompareOrder> = {}) =>
    reconcile({ compare: acts.compareSent, pause: async () => {} }, { ...order, ...more } as unknown as CompareOrder)
  return { at, asked, run }
}

/** As the receiver would name it. */
const fingerprintOf = async (at: ReturnType<typeof setUp>['at'], { webhook: { headers = {}, body } }: Sample) => {
  const source = at.world.sources.get('it')
  const delivery: Delivery = {
    method: 'POST',
    source: 'it',
    url: OURS,
    headers: new Map(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: Buffer.from(JSON.stringify(body)),
    receivedAt: NOON,
    correlationId: 'c',
    trace: {},
  }
  const verified = { delivery, source, matched: 0 } as unknown as Verified
  const named = await identify(at.world, split(verified)?.[0] ?? verified)
  return 'fingerprint' in named ? named.fingerprint : named
}

describe('the list of each sender, as its documents show it', () => {
  it.each(SAMPLES.map(sample => [`${sample.provider} ${sample.account ?? ''}`, sample] as const))(
    '%s: both pages are read with the key in its place, and each event is the one that its webhook would be',
    async (_, sample) => {
      const { at, asked, run } = setUp(sample)
      const { report, events, why } = await run()
      expect({ why, ...report }).toMatchObject({ why: null, listed: 2, unknown: 0, next: null })
      expect(report.missing.map(({ eventId }) => eventId)).toEqual(sample.ids)
      expect(events[0]?.id).toBe(await fingerprintOf(at, sample))
      for (const { headers, host, path } of asked) {
        expect(host).toBe(sample.host)
        if (path !== '/v1/oauth2/token') expect(headers).toMatchObject(sample.shows)
      }
    },
  )

  it.each(SAMPLES.filter(({ provider }) => provider !== 'github').map(sample => [sample.provider, sample] as const))(
    'what is missing at %s is taken, and a second run knows it',
    async (_, sample) => {
      const { at, run } = setUp(sample)
      expect((await run({ reason: 'outage' })).report).toMatchObject({ taken: 2 })
      expect((await run({ reason: 'outage' })).report).toMatchObject({ known: 2, taken: 0 })
      expect(at.messages().map(({ eventId }) => eventId)).toEqual(sample.ids)
    },
  )

  it.each(SAMPLES.map(sample => [`${sample.provider} ${sample.account ?? ''}`, sample] as const))(
    '%s: a list is narrowed to the types that its webhooks have',
    async (_, sample) => {
      const [event] = (await setUp(sample).run()).events
      const types = [event?.type ?? '']
      expect((await setUp(sample).run({ types })).report).toMatchObject({ listed: 2, missing: [{}, {}] })
      expect((await setUp(sample).run({ types: ['of.nobody'] })).report).toMatchObject({ listed: 0 })
    },
  )

  it('what Contentful says that we acknowledged is not asked for again, one call each', async () => {
    const sample = SAMPLES.find(({ provider }) => provider === 'contentful') as Sample
    const { run, asked } = setUp({
      ...sample,
      api: () => ({
        body: { items: [{ eventType: 'publish', requestAt: AT, statusCode: 200, sys: { id: 'call1' } }], total: 1 },
      }),
    })
    expect((await run()).report).toMatchObject({ listed: 1, known: 1 })
    expect(asked).toHaveLength(1)
    // Which type it has is not in the list; that something came is.
    expect((await run({ types: ['ContentManagement.Entry.publish'] })).report).toMatchObject({ listed: 1, known: 1 })
  })

  it('the key of a Paddle sandbox goes to the sandbox', async () => {
    const { run, asked } = setUp({ ...(SAMPLES[0] as Sample), key: 'pdl_sdbx_apikey_1' })
    await run()
    expect(asked.map(({ host }) => host)).toEqual(['sandbox-api.paddle.com', 'sandbox-api.paddle.com'])
  })

  it('a next page on another host is read from the sender itself, which alone gets the key', async () => {
    const { run, asked } = setUp(SAMPLES.find(({ provider }) => provider === 'okta') as Sample)
    await run()
    expect(asked.map(({ host }) => host)).toEqual(['acme.okta.com', 'acme.okta.com'])
  })

  it('a cursor leads to another page of the same list, and not to the list of another project', async () => {
    const { run, asked } = setUp(SAMPLES.find(({ provider }) => provider === 'gitlab') as Sample)
    await run({ after: '/api/v4/projects/evil%2Fproject/hooks/1/events?after=1' })
    await run({ after: '?after=1' })
    const lists = asked.map(({ path }) => path).filter(path => path.endsWith('/events'))
    expect(new Set(lists)).toEqual(new Set(['/api/v4/projects/acme%2Fshop/hooks/9/events']))
  })

  it('a shop or org that is no plain name is refused, so a key cannot be sent elsewhere', async () => {
    const { run, asked } = setUp({
      ...(SAMPLES.find(({ provider }) => provider === 'okta') as Sample),
      account: 'evil.example/x',
    })
    expect((await run()).why).toContain('has to name the account')
    expect(asked).toEqual([])
  })
})
