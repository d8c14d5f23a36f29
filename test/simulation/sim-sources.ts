import type { Source } from '../../functions/domain/source.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import type { Chance } from './random.ts'

/** A sender that retries, one that never does and one of many events at once, as their users may have set them up. */
export const sourcesOf = (luck: Chance): ReadonlyMap<string, Source> =>
  SOURCES[luck.below(SOURCES.length)] as ReadonlyMap<string, Source>

const RETAINS = ['none', '7d'] as const

/** Resolved once: a schedule is a millisecond, and resolving them takes as long. */
const SOURCES = RETAINS.flatMap(retain =>
  ([undefined, 'body'] as const).flatMap(guard =>
    ([undefined, true] as const).map(storeFirst =>
      resolveSources({
        stripe: { provider: 'stripe', retain, ...(storeFirst && { storeFirst }) },
        github: { provider: 'github', retain, ...(guard && { guard }) },
        gocardless: { provider: 'gocardless', retain, ...(storeFirst && { storeFirst }) },
        orders: { provider: 'internal', allow: '*', retain, ...(storeFirst && { storeFirst }) },
      }),
    ),
  ),
)
