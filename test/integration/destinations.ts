import { join } from 'node:path'
import type { Destinations } from '../../functions/domain/destinations.ts'

/** One of each kind that needs no service outside. The app binds the queue and the bus to its own. */
export default {
  billing: { worker: join(import.meta.dirname, 'billing.ts') },
  crm: { queue: 'hooklatch-it-crm' },
  all: { bus: 'hooklatch-it-company' },
} satisfies Destinations
