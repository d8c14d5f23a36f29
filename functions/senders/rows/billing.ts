import type { SenderApi } from '../sender-api.ts'
import { collection } from './collection.ts'

const PADDLE_PAGE = {
  items: 'data',
  next: { kind: 'url', at: 'meta.pagination.next', more: 'meta.pagination.has_more' },
} as const

export const billingApis = {
  paddle: {
    origin: 'https://api.paddle.com',
    sandbox: { origin: 'https://sandbox-api.paddle.com', keys: 'pdl_sdbx_' },
    looks: '^pdl_',
    auth: { kind: 'bearer' },
    rights: {
      list: 'an API key with the permission Notifications: read',
      connect: 'an API key with the permission Notification settings: write',
    },
    rate: 3,
    docs: [
      'https://developer.paddle.com/api-reference/events/overview',
      'https://developer.paddle.com/api-reference/notification-settings/overview',
      'https://developer.paddle.com/changelog/2024/event-notification-retention-changes',
      'https://developer.paddle.com/api-reference/about/permissions',
      'https://developer.paddle.com/changelog/2025/api-key-improvements',
    ],
    uncertain: [
      'The names of the two permissions: they are `{entity}.read` and `{entity}.write`, and the list of entities was not seen.',
      'Older keys have no prefix, and do not look like keys of Paddle: store one with secrets set --api-key.',
    ],
    ledger: {
      back: '90d',
      list: { path: '/events', query: { per_page: '100', order_by: 'id[DESC]' } },
      ...PADDLE_PAGE,
      newestFirst: true,
      type: 'event_type',
      time: 'occurred_at',
      delivery: { body: '' },
      lacks:
        '`notification_id`, which names a notification of the event. Events that no endpoint asked for are in the list too.',
    },
    registration: {
      ...collection('/notification-settings', {
        list: { per_page: '200' },
        create: {
          json: {
            description: 'Hooklatch {source}',
            type: 'url',
            destination: '{url}',
            subscribed_events: '{types}',
            api_version: 1,
          },
        },
        update: { method: 'PATCH', json: { active: true, subscribed_events: '{types}' } },
      }),
      ...PADDLE_PAGE,
      id: 'id',
      url: 'destination',
      types: 'subscribed_events',
      typeName: 'name',
      enabled: { at: 'active', is: [true] },
      everything: null,
      secret: { at: 'data.endpoint_secret_key', listed: 'endpoint_secret_key' },
      example: 'transaction.completed',
    },
  },
  chargebee: {
    origin: 'https://{account}.chargebee.com',
    account: { says: 'the name of the site', pattern: '^[a-z0-9][a-z0-9-]{0,62}$', example: 'acme-test' },
    looks: '^(?:test|live)_',
    auth: { kind: 'user' },
    rights: { list: 'a read-only API key' },
    rate: 2,
    docs: [
      'https://apidocs.chargebee.com/docs/api/events#list_events',
      'https://www.chargebee.com/docs/1.0/site-configuration/articles-and-faq/can-i-filter-events-for-a-specific-customer-using-api.html',
    ],
    uncertain: ['How far back the API goes is not in its documents: its screens show 90 days.'],
    ledger: {
      back: '90d',
      list: {
        path: '/api/v2/events',
        query: {
          limit: '100',
          'occurred_at[after]': '{since:seconds}',
          'occurred_at[before]': '{until:seconds}',
          offset: '{cursor}',
        },
      },
      items: 'list',
      next: { kind: 'cursor', at: 'next_offset' },
      type: 'event.event_type',
      time: 'event.occurred_at',
      delivery: { body: 'event' },
      lacks: 'The API version of the endpoint: the list is rendered in the version of the key.',
    },
  },
  gocardless: {
    origin: 'https://api.gocardless.com',
    sandbox: { origin: 'https://api-sandbox.gocardless.com', keys: 'sandbox_' },
    looks: '^(?:live|sandbox)_',
    auth: { kind: 'bearer' },
    headers: { 'gocardless-version': '2015-07-06' },
    rights: { list: 'a read-only access token' },
    rate: 5,
    docs: ['https://developer.gocardless.com/api-reference/#core-endpoints-events'],
    uncertain: [
      'How far back the list goes is not in its documents; 90 days is a guess.',
      'That tokens of the sandbox begin with sandbox_ was not found in its documents.',
    ],
    ledger: {
      back: '90d',
      list: {
        path: '/events',
        query: {
          limit: '100',
          'created_at[gte]': '{since}',
          'created_at[lte]': '{until}',
          after: '{cursor}',
        },
      },
      items: 'events',
      next: { kind: 'cursor', at: 'meta.cursors.after' },
      newestFirst: true,
      type: 'resource_type',
      time: 'created_at',
      delivery: { body: '', wrap: 'events' },
      lacks: 'Nothing that is known: events are the same in the list and in the webhook.',
    },
  },
} as const satisfies Record<string, SenderApi>
