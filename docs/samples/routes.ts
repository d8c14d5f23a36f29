import type { Sources } from '../../lib/providers.ts'

export default {
  stripe: {
    provider: 'stripe',
    routes: [
      { when: { type: 'invoice.*' }, to: 'billing' },
      { when: { type: ['customer.created', 'customer.updated'], body: { livemode: true } }, to: ['crm', 'worker'] },
      { when: { type: 'charge.*' }, to: 'worker' },
    ],
    otherwise: 'ignore',
  },
} satisfies Sources
