import type { Source } from '../../functions/domain/source.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import type { Ingredients } from './ingredients.ts'
import type { Chance } from './random.ts'

/** A sender that retries, one that never does and one of many events at once, as their users may have set them up. */
export const sourcesOf = (luck: Chance, { ordered }: Pick<Ingredients, 'ordered'>): ReadonlyMap<string, Source> =>
  luck.pick(ordered ? ORDERED : UNORDERED)

const RETAINS = ['none', '7d'] as const

/** Resolved once: a schedule is a millisecond, and resolving them takes as long. */
const sourcesWith = (ordering?: { readonly key: string }) =>
  RETAINS.flatMap(retain =>
    ([undefined, 'body'] as const).flatMap(guard =>
      ([undefined, true] as const).map(storeFirst =>
        resolveSources({
          stripe: { provider: 'stripe', retain, ...(storeFirst && { storeFirst }), ...(ordering && { ordering }) },
          github: { provider: 'github', retain, ...(guard && { guard }) },
          gocardless: { provider: 'gocardless', retain, ...(storeFirst && { storeFirst }) },
          orders: { provider: 'internal', allow: '*', retain, ...(storeFirst && { storeFirst }) },
        }),
      ),
    ),
  )

const UNORDERED = sourcesWith()
const ORDERED = sourcesWith({ key: 'json:about' })
