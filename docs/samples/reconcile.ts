import type { Sources } from '../../lib/providers.ts'

export default {
  stripe: { provider: 'stripe', reconcile: { every: '1h', back: '6h' } },
} satisfies Sources
