import type { StubAnswer, StubRequest } from './stub-api.ts'

export interface StubEvent {
  readonly id: string
  readonly type: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Newest first, a page at a time, as https://docs.stripe.com/api/events/list says. */
export const stripeEvents =
  (events: readonly StubEvent[], key = 'rk_test_reconcile') =>
  ({ path, search, headers }: StubRequest): StubAnswer => {
    if (headers.authorization !== `Bearer ${key}`)
      return { status: 401, body: { error: { message: 'Invalid API Key provided' } } }
    if (path !== '/v1/events') return { status: 404, body: { error: { message: 'Unrecognized request URL' } } }
    const newest = [...events]
      .sort((left, right) => right.at - left.at)
      .filter(({ at }) => Math.floor(at / 1000) >= Number(search.get('created[gte]') ?? 0))
    const after = search.get('starting_after')
    const from = after === null ? 0 : newest.findIndex(({ id }) => id === after) + 1
    const page = newest.slice(from, from + Number(search.get('limit') ?? 10))
    return {
      body: {
        object: 'list',
        url: '/v1/events',
        has_more: from + page.length < newest.length,
        data: page.map(stripeEvent),
      },
    }
  }

export const stripeEvent = ({ id, type, at }: StubEvent) => ({
  id,
  object: 'event',
  api_version: '2026-10-28',
  created: Math.floor(at / 1000),
  data: { object: { id: `in_${id}`, object: 'invoice' } },
  livemode: false,
  type,
})

export interface StubDelivery extends StubEvent {
  readonly delivery: number
}

/** Deliveries of a repository's hook, as https://docs.github.com/en/rest/repos/webhooks says. */
export const githubDeliveries = (
  deliveries: readonly StubDelivery[],
  hook: { readonly id: number; readonly url: string; readonly repository: string },
  redeliver: (delivery: StubDelivery) => Promise<void>,
) => {
  const hooks = `/repos/${hook.repository}/hooks`
  const list = `${hooks}/${hook.id}/deliveries`
  return async ({ path, search, headers }: StubRequest): Promise<StubAnswer> => {
    if (headers.authorization !== 'Bearer github_pat_stub') return { status: 401, body: { message: 'Bad credentials' } }
    if (path === hooks) {
      return { body: [{ type: 'Repository', id: hook.id, active: true, events: ['push'], config: { url: hook.url } }] }
    }
    if (path === list) return githubPage(deliveries, path, search)
    const wanted = deliveries.find(({ delivery }) => path === `${list}/${delivery}/attempts`)
    if (!wanted) return { status: 404, body: { message: 'Not Found' } }
    await redeliver(wanted)
    return { status: 202, body: {} }
  }
}

const githubPage = (deliveries: readonly StubDelivery[], path: string, search: URLSearchParams): StubAnswer => {
  const from = Number(search.get('cursor') ?? 0)
  const size = Number(search.get('per_page') ?? 30)
  const next = `<https://api.github.com${path}?per_page=${size}&cursor=${from + size}>; rel="next"`
  return {
    headers: from + size < deliveries.length ? { link: next } : {},
    body: deliveries.slice(from, from + size).map(({ id: guid, type, at, delivery }) => ({
      id: delivery,
      guid,
      delivered_at: new Date(at).toISOString(),
      redelivery: false,
      duration: 0.1,
      status: 'Invalid HTTP Response: 503',
      status_code: 503,
      event: type,
      action: null,
      installation_id: null,
      repository_id: 1,
    })),
  }
}

export interface StubEndpoint {
  readonly id: string
  readonly url: string
  enabled_events: readonly string[]
  status: 'enabled' | 'disabled'
}

/** As https://docs.stripe.com/api/webhook_endpoints says: the secret is told once, when an endpoint is made. */
export const stripeEndpoints = (endpoints: StubEndpoint[], secret: string) => {
  const path = '/v1/webhook_endpoints'
  const changed = (endpoint: StubEndpoint, form: URLSearchParams): StubEndpoint => {
    if (form.has('enabled_events[]')) endpoint.enabled_events = form.getAll('enabled_events[]')
    if (form.get('disabled') === 'false') endpoint.status = 'enabled'
    return endpoint
  }
  const make = (form: URLSearchParams): StubAnswer => {
    const id = `we_${endpoints.length + 1}`
    const made = changed({ id, url: form.get('url') ?? '', enabled_events: [], status: 'enabled' }, form)
    endpoints.push(made)
    return { body: { object: 'webhook_endpoint', ...made, secret } }
  }
  return (asked: StubRequest): StubAnswer | undefined => {
    const form = new URLSearchParams(asked.body)
    if (asked.path === path) {
      return asked.method === 'POST' ? make(form) : { body: { object: 'list', data: endpoints, has_more: false } }
    }
    const at = endpoints.findIndex(({ id }) => asked.path === `${path}/${id}`)
    const found = endpoints[at]
    if (!found) return undefined
    if (asked.method === 'DELETE') endpoints.splice(at, 1)
    return { body: asked.method === 'DELETE' ? { id: found.id, deleted: true } : changed(found, form) }
  }
}
