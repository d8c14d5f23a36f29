import type { Destinations } from '../domain/destinations.ts'
import type { Source, Sources } from '../domain/source.ts'
import { providers } from './catalogue.ts'
import { INTERNAL } from './internal.ts'
import { resolveFrom } from './resolve-sources.ts'
import { type Catalogue, mistakesIn } from './validate-sources.ts'

/** Sources with every default filled in, or one error with every mistake in them and in the destinations. */
export const resolveSources = (
  sources: Sources,
  catalogue: Catalogue = providers,
  destinations: Destinations = {},
): ReadonlyMap<string, Source> => resolveFrom(catalogue, sources, destinations)

/** Every mistake in the sources and the destinations, each with its place, what was found and what was expected. */
export const validateSources = (
  sources: unknown,
  catalogue: Catalogue = providers,
  destinations: unknown = {},
): readonly string[] => mistakesIn(catalogue, sources, destinations)

/** Those of your own services alone, which need no catalogue. The others were checked at synth, as these were. */
export const internalSources = (sources: Sources, destinations: Destinations = {}): ReadonlyMap<string, Source> =>
  resolveFrom(
    {},
    Object.fromEntries(Object.entries(sources).filter(([, { provider }]) => provider === INTERNAL)),
    destinations,
  )
