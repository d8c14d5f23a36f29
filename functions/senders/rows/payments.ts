import type { SenderApi } from '../sender-api.ts'
import { collection } from './collection.ts'

const LIVE_OR_SANDBOX = {
  says: 'leave it out, or `sandbox` for the sandbox',
  pattern: '^sandbox$',
  example: 'sandbox',
  required: false,
} as const

const STRIPE_PAGE = { items: 'data', next: { kind: 'last', id: 'id', more: 'has_more' } } as const

export const paymentsApis = {
  stripe: {
    origin: 'https://api.stripe.com',
    looks: '^(?:sk|rk)_',
    auth: { kind: 'bearer' },
    rights: {
      list: 'a restricted key with read access to Events',
      connect: 'a restricted key with write access to Webhook Endpoints',
    },
    rate: 5,
    docs: [
      'https://docs.stripe.com/api/events/list',
      'https://docs.stripe.com/api/webhook_endpoints',
      'https://docs.stripe.com/rate-limits',
    ],
    ledger: {
      back: '30d',
      list: {
        path: '/v1/events',
        query: {
          limit: '100',
          'created[gte]': '{since:seconds}',
          'created[lte]': '{until:seconds}',
          starting_after: '{cursor}',
        },
      },
      ...STRIPE_PAGE,
      newestFirst: true,
      type: 'type',
      time: 'created',
      delivery: { body: '' },
      lacks:
        'The API version: an event is rendered in the version of the account at its creation, and an endpoint may have another one. Events of connected accounts are in the lists of those accounts.',
    },
    registration: {
      ...collection('/v1/webhook_endpoints', {
        list: { limit: '100', starting_after: '{cursor}' },
        create: { form: { url: '{url}', 'enabled_events[]': '{types}', description: 'Hooklatch {source}' } },
        update: { method: 'POST', form: { 'enabled_events[]': '{types}', disabled: 'false' } },
      }),
      ...STRIPE_PAGE,
      id: 'id',
      url: 'url',
      types: 'enabled_events',
      enabled: { at: 'status', is: ['enabled'] },
      everything: ['*'],
      secret: { at: 'secret' },
      example: 'invoice.paid',
    },
  },
  paypal: {
    origin: 'https://api-m.paypal.com',
    sandbox: { origin: 'https://api-m.sandbox.paypal.com' },
    account: LIVE_OR_SANDBOX,
    looks: '^[\\w-]{20,}:[\\w-]{20,}$',
    auth: { kind: 'client', path: '/v1/oauth2/token', form: { grant_type: 'client_credentials' } },
    rights: {
      list: 'client id and secret of the app that has the webhook, as `id:secret`',
      connect: 'client id and secret of the app, as `id:secret`',
    },
    rate: 2,
    docs: [
      'https://developer.paypal.com/api/webhooks/v1/webhooks-events-list',
      'https://github.com/paypal/paypal-rest-api-specifications/blob/main/openapi/notifications_webhooks_v1.json',
    ],
    uncertain: [
      'How far back the list goes is not in its documents; 30 days is from memory.',
      'How many events a page may have at most: its specification only says that ten is usual.',
    ],
    ledger: {
      back: '30d',
      list: {
        path: '/v1/notifications/webhooks-events',
        query: { page_size: '100', start_time: '{since}', end_time: '{until}' },
      },
      items: 'events',
      next: { kind: 'url', at: 'links[rel=next].href' },
      type: 'event_type',
      time: 'create_time',
      delivery: { body: '' },
      lacks: 'The transmission headers (`paypal-transmission-id`, `paypal-transmission-time`).',
    },
    registration: {
      ...collection('/v1/notifications/webhooks', {
        create: { json: { url: '{url}', event_types: { each: { name: '{type}' } } } },
        update: {
          method: 'PATCH',
          json: [{ op: 'replace', path: '/event_types', value: { each: { name: '{type}' } } }],
        },
      }),
      items: 'webhooks',
      next: null,
      id: 'id',
      url: 'url',
      types: 'event_types',
      typeName: 'name',
      everything: ['*'],
      // The id of the webhook is what its signatures are checked with.
      secret: { at: 'id', listed: 'id', config: 'webhook_id' },
      example: 'PAYMENT.CAPTURE.COMPLETED',
    },
  },
  square: {
    origin: 'https://connect.squareup.com',
    sandbox: { origin: 'https://connect.squareupsandbox.com' },
    account: LIVE_OR_SANDBOX,
    looks: '^EAAA',
    auth: { kind: 'bearer' },
    rights: {
      list: "the application's personal access token. Events have to be switched on once: PUT /v2/events/enable",
      connect: "the application's personal access token (OAuth tokens are not accepted)",
    },
    rate: 5,
    docs: [
      'https://developer.squareup.com/reference/square/events-api/SearchEvents',
      'https://developer.squareup.com/reference/square/webhook-subscriptions-api',
      'https://github.com/square/connect-api-specification/blob/master/api.json',
    ],
    ledger: {
      back: '28d',
      list: {
        method: 'POST',
        path: '/v2/events',
        json: {
          cursor: '{cursor}',
          limit: 100,
          query: { filter: { created_at: { start_at: '{since}', end_at: '{until}' } } },
        },
      },
      items: 'events',
      next: { kind: 'cursor', at: 'cursor' },
      type: 'type',
      time: 'created_at',
      delivery: { body: '' },
      lacks:
        'The retry headers (`square-retry-number`, `square-retry-reason`). Events from before PUT /v2/events/enable are not in the list.',
    },
    registration: {
      ...collection('/v2/webhooks/subscriptions', {
        list: { include_disabled: 'true', cursor: '{cursor}' },
        create: {
          json: {
            idempotency_key: '{key}',
            subscription: {
              name: 'Hooklatch {source}',
              enabled: true,
              event_types: '{types}',
              notification_url: '{url}',
            },
          },
        },
        update: { method: 'PUT', json: { subscription: { enabled: true, event_types: '{types}' } } },
      }),
      items: 'subscriptions',
      next: { kind: 'cursor', at: 'cursor' },
      id: 'id',
      url: 'notification_url',
      types: 'event_types',
      enabled: { at: 'enabled', is: [true] },
      everything: null,
      secret: { at: 'subscription.signature_key', listed: 'signature_key' },
      example: 'payment.updated',
    },
  },
} as const satisfies Record<string, SenderApi>
