import type { SenderApi } from '../sender-api.ts'

export const contentApis = {
  contentful: {
    origin: 'https://api.contentful.com',
    account: {
      says: 'the space and the id of the webhook',
      pattern: '^[\\w-]+/webhooks/[\\w-]+$',
      example: 'yadj1kx9rmg0/webhooks/0KzM2HxYr5O1pZ4SaUzK8h',
    },
    looks: '^CFPAT-',
    auth: { kind: 'bearer' },
    rights: { list: 'a content management token of a user who may read the settings of the space' },
    // Each event that we did not acknowledge takes a call of its own.
    rate: 5,
    docs: [
      'https://www.contentful.com/developers/docs/references/content-management-api/#/reference/webhook-calls',
      'https://www.contentful.com/developers/docs/extensibility/webhooks/headers',
      'https://github.com/contentful/contentful-management.js/blob/main/lib/entities/webhook.ts',
    ],
    uncertain: [
      'How long calls are kept: the documents say "most recent".',
      'Whether each retry has an entry of its own in the list.',
    ],
    ledger: {
      back: '30d',
      list: { path: '/spaces/{account}/calls', query: { limit: '100', skip: '{cursor}' } },
      items: 'items',
      next: { kind: 'skip', total: 'total' },
      // The `eventType` of the list is the last word of it.
      type: null,
      time: 'requestAt',
      acknowledged: 'statusCode',
      whole: { path: '/spaces/{account}/calls/{item}', id: 'sys.id' },
      delivery: { body: 'request.body', headersAt: 'request.headers' },
      lacks: 'The end of a body of more than 500 KB, and headers that are marked as secret.',
    },
  },
} as const satisfies Record<string, SenderApi>
