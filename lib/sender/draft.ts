import { iso, type Millis, toSeconds } from '../../functions/domain/brands.ts'
import type { Selector } from '../../functions/domain/provider.ts'

/** A delivery in the making; `sample` fills in the id and the type. */
export interface Draft {
  readonly idPrefix: string
  readonly type: string
  /** Where `--id` goes for a provider that names no id. */
  readonly idAt?: Selector
  readonly headers: Record<string, string>
  /** Written as JSON, or as a form if the content type says so. */
  readonly body: Record<string, unknown>
}

export const draftFor = (provider: string, now: Millis): Draft =>
  (Object.hasOwn(DRAFTS, provider) ? DRAFTS[provider] : undefined)?.(now) ?? plain(now)

const JSON_HEADERS = { 'content-type': 'application/json' }

const plain = (now: Millis): Draft => ({
  idPrefix: 'evt_',
  type: 'order.paid',
  idAt: 'json:id',
  headers: { ...JSON_HEADERS },
  body: { timestamp: iso(now), order: { number: '1042', state: 'paid' }, data: { amount: 2000, currency: 'eur' } },
})

const standard = (now: Millis): Draft => ({
  idPrefix: 'msg_',
  type: 'invoice.paid',
  headers: { ...JSON_HEADERS },
  body: { type: '', timestamp: iso(now), data: { id: 'inv_1042', amount: 2000, currency: 'eur' } },
})

const DRAFTS: Readonly<Record<string, (now: Millis) => Draft>> = {
  stripe: now => ({
    idPrefix: 'evt_',
    type: 'payment_intent.succeeded',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    },
    body: {
      id: '',
      object: 'event',
      api_version: '2026-09-30',
      created: toSeconds(now),
      data: { object: { id: 'pi_1042', object: 'payment_intent', amount: 2000, currency: 'eur', status: 'succeeded' } },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type: '',
    },
  }),
  github: () => ({
    idPrefix: '',
    type: 'issues',
    headers: { ...JSON_HEADERS, 'user-agent': 'GitHub-Hookshot/1042abc', 'x-github-hook-id': '1042' },
    body: {
      action: 'opened',
      issue: { number: 1042, title: 'It works on my machine', state: 'open' },
      repository: { id: 1042, full_name: 'acme/rocket' },
      sender: { login: 'octocat', id: 583231 },
    },
  }),
  shopify: now => ({
    idPrefix: '',
    type: 'orders/create',
    headers: {
      ...JSON_HEADERS,
      'x-shopify-shop-domain': 'acme.myshopify.com',
      'x-shopify-api-version': '2026-10',
      'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
      'x-shopify-triggered-at': iso(now),
    },
    body: { id: 1042, email: 'jon@example.com', created_at: iso(now), total_price: '20.00', currency: 'EUR' },
  }),
  slack: now => ({
    idPrefix: 'Ev',
    type: 'app_mention',
    headers: { ...JSON_HEADERS },
    body: {
      type: 'event_callback',
      team_id: 'T1042',
      api_app_id: 'A1042',
      event: { type: '', user: 'U1042', text: 'hello', channel: 'C1042', ts: `${toSeconds(now)}.000100` },
      event_id: '',
      event_time: toSeconds(now),
    },
  }),
  twilio: () => ({
    idPrefix: '',
    type: 'delivered',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'TwilioProxy/1.1' },
    body: { MessageSid: `SM${'1042'.repeat(8)}`, MessageStatus: '', From: '+15005550006', To: '+15005550009' },
  }),
  square: now => ({
    idPrefix: '',
    type: 'payment.updated',
    headers: { ...JSON_HEADERS },
    body: {
      merchant_id: 'ML1042',
      type: '',
      event_id: '',
      created_at: iso(now),
      data: { type: 'payment', id: 'pay_1042', object: { payment: { id: 'pay_1042', status: 'COMPLETED' } } },
    },
  }),
  'standard-webhooks': standard,
  svix: standard,
  paddle: now => ({
    idPrefix: 'evt_',
    type: 'transaction.completed',
    headers: { ...JSON_HEADERS },
    body: {
      event_id: '',
      event_type: '',
      occurred_at: iso(now),
      notification_id: 'ntf_1042',
      data: { id: 'txn_1042', status: 'completed', currency_code: 'EUR' },
    },
  }),
  gitlab: () => ({
    idPrefix: '',
    type: 'Push Hook',
    headers: { ...JSON_HEADERS, 'x-gitlab-instance': 'https://gitlab.example.com' },
    body: { object_kind: 'push', ref: 'refs/heads/main', project: { id: 1042, path_with_namespace: 'acme/rocket' } },
  }),
  discord: now => ({
    idPrefix: '',
    type: 'APPLICATION_AUTHORIZED',
    idAt: 'json:event.data.user.id',
    headers: { ...JSON_HEADERS },
    body: {
      version: 1,
      application_id: '1042',
      type: 1,
      event: { type: '', timestamp: iso(now), data: { integration_type: 0, user: { username: 'octocat' } } },
    },
  }),
}
