import type { SenderApi } from '../sender-api.ts'

const ADMIN = '/admin/api/2026-01/graphql.json'

export const commerceApis = {
  shopify: {
    origin: 'https://{account}.myshopify.com',
    account: { says: 'the shop, before .myshopify.com', pattern: '^[a-z0-9][a-z0-9-]{0,62}$', example: 'acme' },
    looks: '^shp[a-z]+_',
    auth: { kind: 'header', name: 'x-shopify-access-token' },
    rights: { connect: 'an Admin API access token of the app with the scopes that its topics ask for' },
    rate: 1,
    docs: [
      'https://shopify.dev/docs/api/admin-graphql/latest/mutations/webhookSubscriptionCreate',
      'https://shopify.dev/docs/api/admin-graphql/latest/queries/webhookSubscriptions',
    ],
    registration: {
      list: {
        method: 'POST',
        path: ADMIN,
        json: {
          query:
            'query ($after: String) { webhookSubscriptions(first: 100, after: $after) { nodes { id topic uri } pageInfo { endCursor } } }',
          variables: { after: '{cursor}' },
        },
      },
      items: 'data.webhookSubscriptions.nodes',
      next: { kind: 'cursor', at: 'data.webhookSubscriptions.pageInfo.endCursor' },
      id: 'id',
      url: 'uri',
      types: 'topic',
      // ORDERS_CREATE is orders/create.
      ownWords: true,
      single: true,
      create: {
        method: 'POST',
        path: ADMIN,
        json: {
          query:
            'mutation ($topic: WebhookSubscriptionTopic!, $uri: String!) { webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri, format: JSON }) { webhookSubscription { id } userErrors { message } } }',
          variables: { topic: '{type}', uri: '{url}' },
        },
      },
      everything: null,
      // The client secret of the app signs all its webhooks.
      secret: null,
      remove: {
        method: 'POST',
        path: ADMIN,
        json: {
          query:
            'mutation ($id: ID!) { webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { message } } }',
          variables: { id: '{hook}' },
        },
      },
      example: 'ORDERS_CREATE',
    },
  },
} as const satisfies Record<string, SenderApi>
