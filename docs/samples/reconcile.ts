import type { Sources } from '../../functions/domain/source.ts'

export default {
  stripe: { provider: 'stripe', reconcile: { every: '1h', back: '6h' } },
} satisfies Sources
