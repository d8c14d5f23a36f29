import { randomUUID } from 'node:crypto'
import { STSClient } from '@aws-sdk/client-sts'
import Stripe from 'stripe'
import { millis } from '../../functions/domain/brands.ts'
import type { Source } from '../../functions/domain/source.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { publisher } from '../../lib/client/publisher.ts'
import { sigV4 } from '../../lib/client/sig-v4.ts'
import { type Sample, sample } from '../../lib/sender/sample.ts'
import { sign } from '../../lib/sender/sign.ts'
import { eventually } from '../support/local-rig.ts'
import type { Deployment } from './deployment.ts'
import DESTINATIONS from './destinations.ts'
import { type Item, operatorOf } from './operator.ts'
import { resolveFunctionUrls } from './resolve-function-urls.ts'
import SOURCES, { SECRETS } from './sources.ts'
import type { Todo } from './worker.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: JSON of either kind, and the case says which
  readonly body: any
}

export interface StripeEvent {
  readonly id?: string
  /** @default 'invoice.paid' */
  readonly type?: string
  readonly created?: number
  /** The id of what it is about. */
  readonly about?: string
  readonly pad?: string
  readonly todo?: Todo
}

export interface Signing {
  readonly source?: keyof typeof SOURCES
  readonly secret?: string
  /** How many seconds ago it was signed. */
  readonly age?: number
}

/** A deployment as its senders and its operators meet it. */
export type Rig = ReturnType<typeof rigOf>

/** No two cases and no two runs meet in one event. */
export const unique = (prefix = 'evt_'): string => prefix + randomUUID().replaceAll('-', '')

/** A cold start, a queue that brings a message back five times, a schedule of a minute, a cache of five. */
const PATIENCE_MS = 420_000

/** Recovery looks at claims this long after they were made: the lease, and what the index may lag. */
const LOOKS_AFTER_MS = 135_000
/** Ahead of where its last run stopped, whatever our clocks differ by. */
const AHEAD_MS = 10_000

const sources = resolveSources(SOURCES, undefined, DESTINATIONS)

const sourceOf = (name: keyof typeof SOURCES): Source => {
  const source = sources.get(name)
  if (!source) throw new Error(`no source ${name}`)
  return source
}

const lowerCased = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

export const rigOf = (deployment: Deployment) => {
  const operator = operatorOf(deployment)
  const { region, credentials, functionUrls } = deployment
  if (functionUrls) resolveFunctionUrls()
  /** A sender that sends again sends the same bytes, signed anew. */
  const samples = new Map<string, Sample>()
  const urlOf = (source: string): string => `${deployment.base}/webhooks/${source}`

  const send = async (url: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(url, init)
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
  }

  const post = (
    source: string,
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    send(urlOf(source), { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

  /** As Stripe's own library signs it. */
  const stripeText = (text: string, { source = 'stripe', secret, age = 0 }: Signing = {}): Promise<Answer> => {
    const key = secret ?? SECRETS[source]?.[0] ?? ''
    const timestamp = Math.floor(Date.now() / 1000) - age
    const { webhooks } = new Stripe('sk_test_integration')
    const header = webhooks.generateTestHeaderString({ payload: text, secret: key, timestamp })
    return post(source, text, { 'stripe-signature': header })
  }

  const publishing = (options: { readonly tries?: number }) =>
    publisher({
      url: `${deployment.publishBase}/publish/orders`,
      sign: sigV4({
        region,
        credentials: functionUrls?.publisher ?? credentials ?? new STSClient({ region }).config.credentials,
      }),
      ...options,
    })

  const settled = (id: string, status: string): Promise<Item> =>
    eventually(
      `${status} of ${id}`,
      () => operator.record(id),
      item => item?.status === status,
      PATIENCE_MS,
    ) as Promise<Item>

  /** As every sender does that is told 5xx or 409: again, until it is told something else. */
  const patiently = <Told extends Answer>(deliver: () => Promise<Told>): Promise<Told> =>
    eventually('an answer', deliver, ({ status }) => status < 500 && status !== 409, PATIENCE_MS)

  return {
    ...operator,
    deployment,
    patiently,
    send: (source: string, init: RequestInit) => send(urlOf(source), init),
    /** Where nobody has a source. */
    elsewhere: (init: RequestInit) => send(`${deployment.base}/elsewhere`, init),
    post,
    stripeText,
    stripe: (event: StripeEvent, signing?: Signing): Promise<Answer> => stripeText(stripeBody(event), signing),

    /** A sample of what the source's provider sends, signed as it signs; the same `id` is the same event. */
    provider: async (name: keyof typeof SOURCES, id: string): Promise<Answer & { readonly sent: Buffer }> => {
      const source = sourceOf(name)
      const now = millis(Date.now())
      const event = samples.get(name + id) ?? sample(source, { unique: id, now })
      samples.set(name + id, event)
      const signed = sign(source, SECRETS[name]?.[0] ?? '', { url: urlOf(name), now, ...event })
      const headers = { ...event.headers, ...signed.headers }
      const sent = Buffer.from(signed.body)
      const { search } = new URL(signed.url)
      return { sent, ...(await send(urlOf(name) + search, { method: 'POST', body: sent, headers })) }
    },

    /** Any bytes under the signature of the source's provider. */
    signedBytes: (name: keyof typeof SOURCES, bytes: Buffer, headers: Record<string, string> = {}): Promise<Answer> => {
      const request = { url: urlOf(name), now: millis(Date.now()), body: bytes, headers: lowerCased(headers) }
      const signed = sign(sourceOf(name), SECRETS[name]?.[0] ?? '', request)
      const added = Object.entries(signed.headers).filter(([header]) => !(header in request.headers))
      return post(name, bytes, { ...Object.fromEntries(added), ...headers })
    },

    /** With credentials of AWS, as one of your own services. */
    publisher: publishing({}),
    /** One that does not try again. */
    impatientPublisher: publishing({ tries: 1 }),
    publishUnsigned: (key: string, event: object): Promise<Answer> =>
      send(`${deployment.publishBase}/publish/orders`, {
        method: 'POST',
        body: JSON.stringify(event),
        headers: { 'idempotency-key': `"${key}"` },
      }),

    settled,
    /** As a receiver would have left it that died between claim and send: recovery looks at it after this time. */
    abandon: (id: string, after = AHEAD_MS): Promise<void> => {
      const claimedAt = new Date(Date.now() - LOOKS_AFTER_MS + after).toISOString()
      return operator.amend(id, {
        status: 'claimed',
        fence: 'f'.repeat(32),
        leaseUntil: Date.parse(claimedAt) + 15_000,
        listing: `${claimedAt.slice(0, 10)}#${id.slice(0, 1)}`,
        claimedAt: `${claimedAt}#${id.slice(0, 16)}`,
      })
    },
    until: <Value>(what: string, read: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> =>
      eventually(what, read, holds, PATIENCE_MS),
  }
}

export const stripeBody = ({ id = unique(), type = 'invoice.paid', created, about, pad, todo }: StripeEvent): string =>
  JSON.stringify({
    id,
    object: 'event',
    type,
    created: created ?? Math.floor(Date.now() / 1000),
    data: { object: { id: about ?? `in_${id}`, amount_paid: 2000 } },
    ...(pad !== undefined && { pad }),
    ...(todo && { todo }),
  })
