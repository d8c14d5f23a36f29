import { describe, expect, it } from 'vitest'
import { typesOfRoutes } from '../../../functions/domain/route.ts'
import { Secret } from '../../../functions/domain/secret.ts'
import type { Source } from '../../../functions/domain/source.ts'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { endpointsAt, typesWanted } from '../../../functions/senders/endpoints.ts'
import { findApi } from '../../../functions/senders/find-api.ts'
import { openApi } from '../../../functions/senders/open-api.ts'
import { connectSource, removeAll } from '../../../lib/cli/steps/connect-source.ts'
import type { Connection } from '../../../lib/connect/connection.ts'
import type { SecretLists } from '../../../lib/operator/secrets-admin.ts'
import { stripeEndpoints } from '../../support/sender-stubs.ts'
import { httpOf, type StubAnswer, type StubRequest } from '../../support/stub-api.ts'

const OURS = 'https://hooks.example.com/webhooks/it'
const SECRET = 'secret-that-the-sender-made-0123'

/** One endpoint as the sender has it, in its own words. */
type Kept = Record<string, unknown> & { readonly id: string }

interface Sample {
  readonly provider: string
  readonly account?: string
  readonly config?: Readonly<Record<string, string>>
  readonly types: readonly string[]
  /** How the sender lists what it has, and makes one of what it is asked: from its documents. */
  readonly api: (kept: Kept[]) => (asked: StubRequest) => StubAnswer | undefined
  /** What has to be there after `connect`. */
  readonly made: object
  readonly secret: 'stored' | 'missing' | 'config'
}

/** A collection of endpoints at a path, in JSON. */
const collection =
  (
    path: string,
    listed: (kept: readonly Kept[]) => unknown,
    make: (body: Record<string, unknown>, id: string) => { readonly kept: Kept; readonly answer: unknown },
  ): Sample['api'] =>
  kept =>
  ({ method, path: at, body }) => {
    if (at !== path) return single(kept, method, at.slice(path.length + 1))
    if (method === 'GET') return { body: listed(kept) }
    const made = make(JSON.parse(body), String(kept.length + 1))
    kept.push(made.kept)
    return { status: 201, body: made.answer }
  }

const single = (kept: Kept[], method: string, wanted: string): StubAnswer | undefined => {
  const index = kept.findIndex(({ id }) => id === wanted)
  if (index >= 0 && method === 'DELETE') kept.splice(index, 1)
  return index < 0 ? undefined : { body: method === 'DELETE' ? '' : {} }
}

const github = (path: string): Sample['api'] =>
  collection(
    path,
    kept => kept,
    (body, id) => ({ kept: { ...body, id }, answer: { ...body, id } }),
  )

const hookOf = (events: readonly string[]) => ({
  name: 'web',
  active: true,
  events,
  config: { url: OURS, content_type: 'json', insecure_ssl: '0', secret: expect.stringMatching(/^[0-9a-f]{64}$/) },
})

const SAMPLES: readonly Sample[] = [
  {
    provider: 'stripe',
    types: ['invoice.paid', 'charge.refunded'],
    api: kept => stripeEndpoints(kept as never, SECRET),
    made: { url: OURS, enabled_events: ['invoice.paid', 'charge.refunded'], status: 'enabled' },
    secret: 'stored',
  },
  {
    provider: 'github',
    account: 'acme/shop',
    types: ['push'],
    api: github('/repos/acme/shop/hooks'),
    made: hookOf(['push']),
    secret: 'stored',
  },
  {
    provider: 'github',
    account: 'acme',
    types: ['push'],
    api: github('/orgs/acme/hooks'),
    made: hookOf(['push']),
    secret: 'stored',
  },
  {
    provider: 'gitlab',
    account: 'acme/shop',
    types: ['issues', 'push'],
    api: collection(
      '/api/v4/projects/acme%2Fshop/hooks',
      kept => kept,
      ({ token: _, ...body }, id) => ({ kept: { ...body, alert_status: 'executable', id }, answer: { ...body, id } }),
    ),
    made: { url: OURS, push_events: true, issues_events: true, enable_ssl_verification: true },
    secret: 'stored',
  },
  {
    provider: 'paddle',
    types: ['transaction.completed'],
    api: collection(
      '/notification-settings',
      data => ({
        data,
        meta: { pagination: { has_more: false, next: 'https://api.paddle.com/notification-settings?after=1' } },
      }),
      (body, id) => {
        const events = body.subscribed_events as readonly string[]
        const kept = {
          ...body,
          id,
          active: true,
          subscribed_events: events.map(name => ({ name })),
          endpoint_secret_key: SECRET,
        }
        return { kept, answer: { data: kept } }
      },
    ),
    made: { destination: OURS, type: 'url', subscribed_events: [{ name: 'transaction.completed' }] },
    secret: 'stored',
  },
  {
    provider: 'square',
    types: ['payment.updated'],
    api: collection(
      '/v2/webhooks/subscriptions',
      subscriptions => ({ subscriptions }),
      ({ subscription }, id) => ({
        kept: { ...(subscription as object), id },
        answer: { subscription: { ...(subscription as object), id, signature_key: SECRET } },
      }),
    ),
    made: { notification_url: OURS, event_types: ['payment.updated'], enabled: true },
    secret: 'stored',
  },
  {
    provider: 'paypal',
    config: { webhook_id: 'not-yet' },
    types: ['PAYMENT.CAPTURE.COMPLETED'],
    api: kept => asked =>
      asked.path === '/v1/oauth2/token'
        ? { body: { access_token: 'A21' } }
        : collection(
            '/v1/notifications/webhooks',
            webhooks => ({ webhooks }),
            (body, id) => ({ kept: { ...body, id }, answer: { ...body, id } }),
          )(kept)(asked),
    made: { url: OURS, event_types: [{ name: 'PAYMENT.CAPTURE.COMPLETED' }] },
    secret: 'config',
  },
  {
    provider: 'shopify',
    account: 'acme',
    types: ['ORDERS_CREATE'],
    api:
      kept =>
      ({ body }) => {
        const { query, variables } = JSON.parse(body)
        if (query.startsWith('query')) {
          return { body: { data: { webhookSubscriptions: { nodes: kept, pageInfo: { endCursor: null } } } } }
        }
        if (query.includes('webhookSubscriptionDelete')) {
          kept.splice(0, kept.length, ...kept.filter(({ id }) => id !== variables.id))
          return { body: { data: { webhookSubscriptionDelete: { userErrors: [] } } } }
        }
        kept.push({ id: `gid://shopify/WebhookSubscription/${kept.length}`, ...variables })
        return { body: { data: { webhookSubscriptionCreate: { userErrors: [] } } } }
      },
    made: { uri: OURS, topic: 'ORDERS_CREATE' },
    secret: 'missing',
  },
]

const setUp = ({ provider, account, config = {}, api }: Sample, held: readonly string[] = []) => {
  const kept: Kept[] = []
  const asked: StubRequest[] = []
  let lists: SecretLists = { it: held }
  const connection = {
    kind: 'local',
    secrets: {
      place: 'here',
      read: async () => ({ lists, version: JSON.stringify(lists), changedAt: null }),
      write: async (next: SecretLists) => {
        lists = next
        return 'written'
      },
    },
  } as unknown as Connection
  const source = resolveSources({ it: { provider, config, ...(account && { account }) } }).get('it')
  const found = findApi(provider, account)
  if (found.kind !== 'found' || !found.api.registration || !source) throw new Error('no row')
  const answer = api(kept)
  const opened = openApi({
    api: found.api,
    account: found.account,
    key: new Secret('id:secret'),
    http: httpOf(one => answer(one) ?? { status: 404, body: {} }, asked),
    sender: source.provider.name,
    rights: 'r',
    pace: async () => {},
  })
  const sender = { api: opened, row: found.api, registration: found.api.registration }
  const connect = (types: readonly string[] | undefined, more = {}) =>
    connectSource({ connection, source, sender, url: OURS, types, replace: false, dryRun: false, ...more })
  return { kept, asked, sender, connect, secrets: () => lists.it ?? [] }
}

const named = SAMPLES.map(sample => [`${sample.provider} ${sample.account ?? ''}`.trim(), sample] as const)

describe('an endpoint at each sender, as its documents show it', () => {
  it.each(named)(
    '%s: connect makes it once and keeps its secret, a second call changes nothing, and disconnect takes it away',
    async (_, sample) => {
      const rig = setUp(sample)
      expect(await rig.connect(sample.types)).toMatchObject({
        action: 'created',
        types: sample.types,
        secret: sample.secret,
      })
      expect(rig.kept).toMatchObject([sample.made])
      expect(rig.secrets()).toHaveLength(sample.secret === 'stored' ? 1 : 0)
      const calls = rig.asked.filter(({ method }) => method !== 'GET').length
      expect(await rig.connect(sample.types)).toMatchObject({ action: 'unchanged' })
      expect(rig.kept).toHaveLength(1)
      // Shopify lists by POST.
      if (sample.provider !== 'shopify') expect(rig.asked.filter(({ method }) => method !== 'GET')).toHaveLength(calls)
      const found = await endpointsAt(rig.sender.api, rig.sender.registration, OURS)
      if (found.kind !== 'found') throw new Error('not listed')
      expect(found.endpoints).toMatchObject([{ url: OURS, types: expect.arrayContaining([...sample.types]) }])
      expect(await removeAll(rig, found.endpoints)).toBeUndefined()
      expect(rig.kept).toEqual([])
    },
  )

  it.each(named)('%s: types of routes are asked for only if its events have the words of its API', (_, sample) => {
    const { sender } = setUp(sample)
    const routes = [{ when: { type: ['of.an.event'] }, to: 'worker' }]
    const source = resolveSources({ it: { provider: 'stripe', routes } }).get('it') as Source
    const others = ['gitlab', 'shopify'].includes(sample.provider)
    expect(typesWanted(sender.registration, source)).toEqual(others ? undefined : ['of.an.event'])
  })

  it.each(named)('%s: a dry run changes nothing', async (_, sample) => {
    const rig = setUp(sample)
    expect(await rig.connect(sample.types, { dryRun: true })).toMatchObject({ action: 'created' })
    expect({ kept: rig.kept, secrets: rig.secrets() }).toEqual({ kept: [], secrets: [] })
  })
})

describe('an endpoint that is there already', () => {
  const [stripe, githubRepository, , , paddle] = SAMPLES as [Sample, Sample, Sample, Sample, Sample]

  it('one whose secret Stripe shows to nobody is adopted by setting it, or replaced on demand', async () => {
    const rig = setUp(stripe)
    rig.kept.push({ id: 'we_hand', url: OURS, enabled_events: ['*'], status: 'enabled' })
    expect(await rig.connect(undefined)).toMatchObject({ refused: expect.stringMatching(/secrets set it.*--replace/) })
    expect(await rig.connect(undefined, { replace: true })).toMatchObject({ action: 'replaced', secret: 'stored' })
    expect(rig.kept.map(({ id }) => id)).toEqual(['we_2'])
    expect(rig.secrets()).toEqual([SECRET])
  })

  it('one of Paddle is adopted with the secret that its list tells', async () => {
    const rig = setUp(paddle)
    rig.kept.push({
      id: 'ntfset_1',
      destination: OURS,
      active: true,
      subscribed_events: [{ name: 'a' }],
      endpoint_secret_key: SECRET,
    })
    expect(await rig.connect(undefined)).toMatchObject({ action: 'unchanged', secret: 'stored', types: ['a'] })
    expect(rig.secrets()).toEqual([SECRET])
  })

  it('a secret that the source has stays accepted beside the new one', async () => {
    const rig = setUp(stripe, ['whsec_of_another_endpoint'])
    await rig.connect(['invoice.paid'])
    expect(rig.secrets()).toEqual([SECRET, 'whsec_of_another_endpoint'])
    rig.kept.splice(0)
    expect(await rig.connect(['invoice.paid'])).toMatchObject({ refused: expect.stringContaining('finish-rotation') })
  })

  it('if GitHub refuses, the secret is as it was before', async () => {
    const refuses: Sample = {
      ...githubRepository,
      api:
        () =>
        ({ method }) =>
          method === 'GET' ? { body: [] } : { status: 422, body: { message: 'Hook already exists' } },
    }
    const rig = setUp(refuses, ['old-secret-0123456789'])
    expect(await rig.connect(['push'])).toMatchObject({
      refused: expect.stringContaining('answered 422: Hook already exists'),
    })
    expect(rig.secrets()).toEqual(['old-secret-0123456789'])
  })

  it('if the answer of GitHub is lost, the secret of the endpoint that was made is kept, and a second call is right', async () => {
    const lost: Sample = {
      ...githubRepository,
      api: kept => {
        const answer = githubRepository.api(kept)
        return asked => {
          const said = answer(asked)
          if (asked.method === 'POST' && kept.length === 1) throw new Error('socket hang up')
          return said
        }
      },
    }
    const rig = setUp(lost, ['old-secret-0123456789'])
    expect(await rig.connect(['push'])).toMatchObject({ refused: expect.stringContaining('may have been made') })
    const [made] = rig.kept as unknown as { readonly config: { readonly secret: string } }[]
    if (!made) throw new Error('nothing was made')
    const signsWith = made.config.secret
    expect(rig.secrets()).toEqual([signsWith, 'old-secret-0123456789'])
    expect(await rig.connect(['push'])).toMatchObject({ action: 'unchanged', secret: 'kept' })
    expect(rig.kept).toHaveLength(1)
  })

  it('one of Paddle that signs with another secret than those set here is refused, and nothing is changed', async () => {
    const rig = setUp(paddle, ['pdl_ntfset_of_another', 'pdl_ntfset_older'])
    const there = { id: 'n_1', destination: OURS, active: true, subscribed_events: [{ name: 'a' }] }
    rig.kept.push({ ...there, endpoint_secret_key: SECRET })
    for (const more of [{}, { dryRun: true }]) {
      expect(await rig.connect(['b'], more)).toMatchObject({
        refused: expect.stringMatching(/another secret.*--replace/),
      })
    }
    expect(rig.asked.every(({ method }) => method === 'GET')).toBe(true)
    const older = setUp(paddle, ['pdl_ntfset_of_another', SECRET])
    older.kept.push({ ...there, endpoint_secret_key: SECRET })
    expect(await older.connect(['a'])).toMatchObject({ action: 'unchanged', secret: 'kept' })
  })

  it('what Shopify refuses in an answer with status 200 is refused, whatever was asked for', async () => {
    const shopify = SAMPLES.find(({ provider }) => provider === 'shopify') as Sample
    const userErrors = [{ message: 'You cannot delete this subscription' }]
    const rig = setUp({
      ...shopify,
      api: () => () => ({ body: { data: { webhookSubscriptionDelete: { userErrors } } } }),
    })
    const ours = { id: 'gid://1', url: OURS, types: [], enabled: null, lastError: null, secret: null }
    expect(await removeAll(rig, [ours])).toEqual({
      exitCode: 1,
      refused: "Shopify's API refused it: You cannot delete this subscription.",
    })
    const throttled = setUp({ ...shopify, api: () => () => ({ body: { errors: [{ message: 'Throttled' }] } }) })
    expect(await throttled.connect(['ORDERS_CREATE'])).toMatchObject({ refused: expect.stringContaining('Throttled') })
  })

  it('a sender without a word for all types wants them named', async () => {
    expect(await setUp(paddle).connect(undefined)).toMatchObject({
      refused: expect.stringContaining('--types transaction.completed'),
    })
  })
})

describe('the types of routes', () => {
  const typesOf = (when: object) => {
    const source = resolveSources({
      it: {
        provider: 'stripe',
        routes: [
          { when, to: 'worker' },
          { when: { type: 'noise' }, to: 'ignore' },
        ],
      },
    }).get('it')
    return source && typesOfRoutes(source)
  }

  it('types that routes want are registered, and those that they ignore are not', () => {
    expect(typesOf({ type: ['invoice.paid', 'charge.refunded'] })).toEqual(['invoice.paid', 'charge.refunded'])
  })

  it('a pattern is no list of types: all are registered', () => {
    expect(typesOf({ type: 'invoice.*' })).toBeUndefined()
  })
})
