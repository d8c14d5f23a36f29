import type { Source } from '../../functions/domain/source.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import type { Ingredients } from './ingredients.ts'
import type { Chance } from './random.ts'
import { DESTINATIONS, LEADS, noteLeads, routesOf } from './sim-destinations.ts'

/** A sender that retries, one that never does and one of many events at once, as their users may have set them up. */
export const sourcesOf = (
  luck: Chance,
  { ordered, destined }: Pick<Ingredients, 'ordered' | 'destined'>,
): ReadonlyMap<string, Source> => luck.pick(destined ? DESTINED : ordered ? ORDERED : UNORDERED)

const RETAINS = ['none', '7d'] as const

/** Resolved once: a schedule is a millisecond, and resolving them takes as long. */
const sourcesWith = (ordering?: { readonly key: string }, routes?: ReturnType<typeof routesOf>) =>
  RETAINS.flatMap(retain =>
    ([undefined, 'body'] as const).flatMap(guard =>
      ([undefined, true] as const).map(storeFirst =>
        resolveSources(
          {
            stripe: {
              provider: 'stripe',
              retain,
              ...(storeFirst && { storeFirst }),
              ...(ordering && { ordering }),
              ...routes,
            },
            github: { provider: 'github', retain, quarantine: true, ...(guard && { guard }), ...routes },
            gocardless: { provider: 'gocardless', retain, ...(storeFirst && { storeFirst }), ...routes },
            orders: { provider: 'internal', allow: '*', retain, ...(storeFirst && { storeFirst }), ...routes },
          },
          undefined,
          DESTINATIONS,
        ),
      ),
    ),
  )

const UNORDERED = sourcesWith()
const ORDERED = sourcesWith({ key: 'json:about' })
const DESTINED = LEADS.flatMap(leads =>
  sourcesWith(undefined, routesOf(leads)).map(sources => {
    noteLeads(sources, leads)
    return sources
  }),
)
