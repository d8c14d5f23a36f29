import { SEVERAL } from '../../functions/contract/queues.ts'
import type { Destinations } from '../../functions/domain/destinations.ts'
import type { Route } from '../../functions/domain/route.ts'
import type { Source } from '../../functions/domain/source.ts'
import { MEMORY_NAMES } from '../../lib/memory-aws/hooklatch-resources.ts'
import { memoryDestinations } from '../support/memory-destinations.ts'

/** What an event says of where it wants to go. */
export const ROUTES = ['both', 'both', 'one', 'none', 'home'] as const
export type RouteName = (typeof ROUTES)[number]

/** Where that leads, and where it leads after a deployment. */
export type Leads = Readonly<Record<RouteName, readonly string[]>>
export const LEADS: readonly Leads[] = [
  { both: ['billing', 'crm'], one: ['billing'], none: [], home: ['worker'] },
  { both: ['crm', 'worker', 'billing'], one: ['crm'], none: ['billing', 'crm'], home: ['worker'] },
  { both: ['billing', 'crm'], one: ['crm'], none: ['billing'], home: ['worker'] },
]

export const DESTINATIONS = {
  billing: { worker: 'billing.ts' },
  crm: { worker: 'crm.ts' },
} as const satisfies Destinations

/** Those whose messages an operator can stop. */
export const PAUSABLE = ['worker', ...Object.keys(DESTINATIONS)]

export const routesOf = (leads: Leads): { readonly routes: readonly Route[]; readonly otherwise: string } => ({
  routes: Object.entries(leads).map(([route, to]) => ({ when: { body: { route } }, to: to[0] ? to : 'ignore' })),
  otherwise: 'worker',
})

const { urls, queues } = memoryDestinations([...Object.keys(DESTINATIONS), SEVERAL])

export const DESTINATION_URLS: Readonly<Record<string, string>> = urls
export const DESTINATION_QUEUES = queues
export const SEVERAL_URL = urls[SEVERAL] as string

export const urlOf = (destination: string): string => urls[destination] ?? MEMORY_NAMES.queueUrl

export const deadLettersOf = (url: string): string => `${url}-dead-letters`

/** Whose queue it is. */
export const destinationAt = (url: string): string => Object.keys(urls).find(name => urls[name] === url) ?? 'worker'

/** Which routes each set of sources was resolved with: what a process goes by, until it is deployed anew. */
const leading = new WeakMap<ReadonlyMap<string, Source>, Leads>()
export const noteLeads = (sources: ReadonlyMap<string, Source>, leads: Leads): void => void leading.set(sources, leads)
export const leadsOf = (sources: ReadonlyMap<string, Source>): Leads | undefined => leading.get(sources)
