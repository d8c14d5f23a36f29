import type { Ledger, Registration, SenderApi } from '../sender-api.ts'
import { collection } from './collection.ts'

const DOCS = [
  'https://docs.github.com/en/rest/repos/webhooks',
  'https://docs.github.com/en/rest/orgs/webhooks',
  'https://docs.github.com/en/rest/apps/webhooks',
  'https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks',
]

const github = {
  origin: 'https://api.github.com',
  looks: '^(?:gh[pousr]_|github_pat_|eyJ)',
  auth: { kind: 'bearer' },
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  // 5,000 calls an hour and token.
  rate: 1,
  docs: DOCS,
} as const satisfies Partial<SenderApi>

/** Deliveries of a hook, newest first, each with the id of its event. GitHub itself delivers again. */
const deliveriesOf = (hooks: string, hook: Ledger['hook']): Ledger => ({
  back: '3d',
  list: { path: `${hooks}/deliveries`, query: { per_page: '100' } },
  items: '',
  next: { kind: 'link' },
  newestFirst: true,
  type: 'event',
  time: 'delivered_at',
  acknowledged: 'status_code',
  delivery: {
    body: null,
    headers: { 'x-github-delivery': 'guid', 'x-github-event': 'event', 'x-github-hook-id': '{hook}' },
  },
  redeliver: { method: 'POST', path: `${hooks}/deliveries/{item}/attempts`, id: 'id' },
  ...(hook && { hook }),
  lacks: 'Nothing: GitHub sends the delivery again, with the same id.',
})

const hooksAt = (path: string): Registration => ({
  ...collection(path, {
    list: { per_page: '100' },
    create: {
      json: {
        name: 'web',
        active: true,
        events: '{types}',
        config: { url: '{url}', content_type: 'json', secret: '{secret}', insecure_ssl: '0' },
      },
    },
    update: { method: 'PATCH', json: { active: true, events: '{types}' } },
  }),
  items: '',
  next: { kind: 'link' },
  id: 'id',
  url: 'config.url',
  types: 'events',
  enabled: { at: 'active', is: [true] },
  lastError: 'last_response.message',
  everything: ['*'],
  secret: 'ours',
  example: 'push',
})

export const developmentApis = {
  /** By the account of the source: `owner/name`. */
  github: {
    ...github,
    account: { says: 'the repository', pattern: '^[\\w.-]+/[\\w.-]+$', example: 'acme/shop' },
    rights: {
      list: 'a fine-grained token for the repository with Webhooks: read and write (redelivery writes)',
      connect: 'a fine-grained token for the repository with Webhooks: read and write',
    },
    ledger: deliveriesOf('/repos/{account}/hooks/{hook}', 'registered'),
    registration: hooksAt('/repos/{account}/hooks'),
  },
  /** `name`. */
  'github organisation': {
    ...github,
    account: { says: 'the organisation', pattern: '^(?!app$)[\\w-]+$', example: 'acme' },
    rights: {
      list: 'a fine-grained token for the organisation with Webhooks: read and write (redelivery writes)',
      connect: 'a fine-grained token for the organisation with Webhooks: read and write',
    },
    ledger: deliveriesOf('/orgs/{account}/hooks/{hook}', 'registered'),
    registration: hooksAt('/orgs/{account}/hooks'),
  },
  /** `app`. */
  'github app': {
    ...github,
    account: { says: '`app`, for the webhook of a GitHub App', pattern: '^app$', example: 'app' },
    rights: { list: 'a JWT of the app, signed with its private key; it lives for ten minutes' },
    // One of its deliveries tells which hook it is.
    ledger: deliveriesOf('/app/hook', {
      item: { path: '/app/hook/deliveries', query: { per_page: '1' }, at: '0.id' },
      whole: { path: '/app/hook/deliveries/{item}' },
      at: 'request.headers.X-GitHub-Hook-ID',
    }),
  },
  gitlab: {
    origin: 'https://gitlab.com',
    account: {
      says: 'the project, by its path or its number',
      pattern: '^[\\w.-]+(?:/[\\w.-]+)*$',
      example: 'acme/shop',
      encoded: true,
    },
    looks: '^gl[a-z]+-',
    auth: { kind: 'header', name: 'private-token' },
    rights: {
      list: 'a project access token with the scope api and the role Maintainer',
      connect: 'a project access token with the scope api and the role Maintainer',
    },
    rate: 2,
    docs: [
      'https://docs.gitlab.com/api/project_webhooks/',
      'https://docs.gitlab.com/user/project/integrations/webhooks/',
    ],
    uncertain: ['Group webhooks have the same list under another path, and are not in this row.'],
    ledger: {
      back: '7d',
      list: { path: '/api/v4/projects/{account}/hooks/{hook}/events', query: { per_page: '100' } },
      items: '',
      next: { kind: 'link' },
      // Its `trigger` is another word for it: push_hooks.
      type: 'request_headers.X-Gitlab-Event',
      time: null,
      acknowledged: 'response_status',
      delivery: { body: 'request_data', headersAt: 'request_headers' },
      hook: 'registered',
      lacks: 'The time of the event: the list has the last seven days, and --since and --until change nothing.',
    },
    registration: {
      ...collection('/api/v4/projects/{account}/hooks', {
        list: { per_page: '100' },
        create: {
          json: {
            url: '{url}',
            token: '{secret}',
            enable_ssl_verification: true,
            name: 'Hooklatch {source}',
            switches: true,
          },
        },
        update: { method: 'PUT', json: { url: '{url}', switches: true } },
      }),
      items: '',
      next: { kind: 'link' },
      id: 'id',
      url: 'url',
      types: null,
      // `push` is a Push Hook.
      ownWords: true,
      enabled: { at: 'alert_status', is: ['executable'] },
      everything: null,
      secret: 'ours',
      example: 'push',
    },
  },
} as const satisfies Record<string, SenderApi>
