import type { Sources } from './functions/domain/source.ts'
import type { CustomConfig } from './functions/providers/custom.ts'

/**
 * The one file you edit: `name: { provider }` gives the endpoint `/webhooks/name`, or `/publish/name` for your own services. Its signing secret is kept elsewhere,
 * under the same name. What a source may say besides its provider: functions/domain/source.ts.
 */
export default {
  stripe: { provider: 'stripe' },
  // GitHub and Shopify do not sign their ids: `guard: 'body'` would also refuse a captured body under a fresh id.
  github: { provider: 'github' },
  shopify: { provider: 'shopify' },
  slack: { provider: 'slack' },
  // Twilio and Square sign the URL they call. Behind a proxy or a custom domain, say which: `publicUrl: 'https://...'`.
  twilio: { provider: 'twilio' },
  square: { provider: 'square' },
  'standard-webhooks': { provider: 'standard-webhooks' },
  svix: { provider: 'svix' },
  paddle: { provider: 'paddle' },
  gitlab: { provider: 'gitlab' },
  discord: { provider: 'discord' },

  // A sender that is not in the catalogue: `acme-signature: t=1760000000,v1=<hex>` over `1760000000.<body>`.
  'custom-hmac': {
    provider: 'custom',
    tolerance: '5m',
    config: {
      scheme: {
        kind: 'hmac',
        sig: { name: 'acme-signature', layout: 'kv', sigKeys: ['v1'] },
        signed: '{ts}.{body}',
        ts: { in: 'sig', name: 't' },
      },
      id: 'header:acme-event-id',
      type: 'json:type',
      retryWindow: '1d',
    } satisfies CustomConfig,
  },
  // A sender that only repeats a shared secret. Without `id`, the bytes of the body are the identity.
  'custom-token': {
    provider: 'custom',
    config: {
      scheme: { kind: 'token', header: 'authorization', prefix: 'Bearer ' },
      id: 'json:id',
    } satisfies CustomConfig,
  },
  // HTTP basic authentication; the secret is `user:password`. Orders are the same when number and state are.
  'custom-basic': {
    provider: 'custom',
    identity: { businessKey: ['order.number', 'order.state'] },
    config: { scheme: { kind: 'basic' }, retryWindow: 'none' } satisfies CustomConfig,
  },

  // Your own services, with AWS credentials and an Idempotency-Key: docs/publish.md. `allow` lists who may, of those IAM
  // admits; `schema` (zod, valibot, ...) would refuse what is not `{ orderId, type }`.
  orders: { provider: 'internal', allow: '*' },
} satisfies Sources
