import type { Destinations } from '../../lib/providers.ts'

export default {
  // Code of yours, as a function with a role of its own.
  billing: { worker: 'billing.ts', tries: 16, timeout: '30s' },
  // An SQS queue of yours, not faster than your database bears.
  crm: { queue: 'crm-events', rate: '80/s' },
  // An EventBridge bus of yours.
  all: { bus: 'company' },
  // An HTTPS service of yours, called as Standard Webhooks say.
  legacy: { url: 'https://legacy.example.com/hooks', concurrency: 5 },
} satisfies Destinations
