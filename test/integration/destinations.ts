import { join } from 'node:path'
import type { Destinations } from '../../functions/domain/destinations.ts'

/** Where a service of the suite's own can be reached. */
const url = process.env.IT_SERVICE_URL

/** One of each kind. The app binds the queue and the bus to its own. */
export default {
  billing: { worker: join(import.meta.dirname, 'billing.ts') },
  crm: { queue: 'hooklatch-it-crm' },
  all: { bus: 'hooklatch-it-company' },
  ...(url && { legacy: { url, privateAddresses: true } }),
} satisfies Destinations
