import type { Sources } from '../../functions/domain/source.ts'

export default {
  stripe: { provider: 'stripe' },
  // The name is yours: two Stripe accounts are two sources.
  'stripe-eu': { provider: 'stripe', retain: '30d' },
  // GitHub does not sign its delivery id: also refuse a captured body under a fresh one.
  github: { provider: 'github', guard: 'body' },
} satisfies Sources
