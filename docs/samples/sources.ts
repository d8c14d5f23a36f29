import type { Sources } from '../../lib/providers.ts'

export default {
  stripe: { provider: 'stripe' },
  // The name is yours: two Stripe accounts are two sources.
  'stripe-eu': { provider: 'stripe', retain: '30d' },
  // GitHub signs the body, but not the delivery id. `guard` also refuses a body that came before under another id.
  github: { provider: 'github', guard: 'body' },
} satisfies Sources
