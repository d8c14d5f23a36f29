import { join } from 'node:path'
import type { AppRequest } from '../init/app-files.ts'

/** What `hooklatch init receiver` makes. */
export const EXAMPLE: AppRequest = {
  name: 'receiver',
  sources: { stripe: { provider: 'stripe' }, github: { provider: 'github' } },
  hooklatch: '0.1.0',
}

export const EXAMPLE_DIRECTORY = join(import.meta.dirname, '../../examples/receiver')
