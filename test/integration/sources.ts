import type { Sources } from '../../functions/domain/source.ts'

/** What every target of the suite receives: ten senders of the catalogue, and a source for each thing a case is about. */
export const WITHOUT_ROUTES = {
  stripe: { provider: 'stripe' },
  github: { provider: 'github' },
  shopify: { provider: 'shopify' },
  slack: { provider: 'slack' },
  // They sign the URL they call, and an emulator is not called by the name that a sender knows.
  twilio: { provider: 'twilio', publicUrl: 'https://hooks.example.com/webhooks/twilio' },
  square: { provider: 'square', publicUrl: 'https://hooks.example.com/webhooks/square' },
  'standard-webhooks': { provider: 'standard-webhooks' },
  svix: { provider: 'svix' },
  paddle: { provider: 'paddle' },
  gitlab: { provider: 'gitlab' },

  orders: { provider: 'internal', allow: '*' },
  ordered: { provider: 'stripe', ordering: { key: 'json:data.object.id', version: 'json:created' } },
  rotated: { provider: 'stripe' },
  'without-secret': { provider: 'stripe' },
  'gives-up-on-4xx': { provider: 'stripe', inFlight: 503 },
  quarantined: { provider: 'stripe', quarantine: true },
} satisfies Sources

/** With what targets receive that have the destinations of destinations.ts. */
export default {
  ...WITHOUT_ROUTES,
  routed: {
    provider: 'stripe',
    routes: [
      { when: { type: 'invoice.*' }, to: 'billing' },
      { when: { type: 'customer.*' }, to: 'crm' },
      { when: { type: 'charge.*' }, to: 'all' },
      { when: { type: 'checkout.*' }, to: ['billing', 'crm'] },
      ...(process.env.IT_SERVICE_URL ? [{ when: { type: 'refund.*' }, to: 'legacy' }] : []),
    ],
  },
} satisfies Sources

/** With a reconciler. What it would ask Stripe for, it is told by a server of the test. */
export const scheduled = <All extends typeof WITHOUT_ROUTES>(all: All) =>
  ({ ...all, stripe: { provider: 'stripe', reconcile: { every: '1h', back: '6h' } } }) satisfies Sources

/** Fake, of the shape each sender gives out. Nothing but this suite knows of the endpoints they open. */
export const SECRETS: Readonly<Record<string, readonly string[]>> = {
  stripe: ['whsec_integration_stripe_0123456789'],
  github: ['integration-github-0123456789abcdef'],
  shopify: ['shpss_integration0123456789abcdef012'],
  slack: ['1a7e96a7101a7e96a7101a7e96a7101a'],
  twilio: ['1a7e96a7100123456789abcdef012345'],
  square: ['integration-square-signature-key'],
  'standard-webhooks': ['whsec_toQ6kKkdfG60vGZ8oLX760CSueX6+t2W7gbdxHVCvJQ='],
  svix: ['whsec_bAhWvtD5wUsliHzHzLEmDcJKje7dlDwkZLnEZi0bTbY='],
  paddle: ['pdl_ntfset_integration_0123456789'],
  gitlab: ['integration-gitlab-token-0123456789'],
  ordered: ['whsec_integration_ordered_0123456789'],
  routed: ['whsec_integration_routed_0123456789'],
  rotated: ['whsec_integration_before_0123456789'],
  'gives-up-on-4xx': ['whsec_integration_gives_up_0123456789'],
  quarantined: ['whsec_integration_quarantined_0123456'],
}
