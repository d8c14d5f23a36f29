import type { Source, Sources } from '../domain/source.ts'
import { providers } from './catalogue.ts'
import { INTERNAL } from './internal.ts'
import { resolveFrom } from './resolve-sources.ts'
import { type Catalogue, mistakesIn } from './validate-sources.ts'

/** Sources with every default filled in, or one error with every mistake in them. */
export const resolveSources = (sources: Sources, catalogue: Catalogue = providers): ReadonlyMap<string, Source> =>
  resolveFrom(catalogue, sources)

/** Every mistake in a source file, each with its source, its field, what was found and what was expected. */
export const validateSources = (sources: unknown, catalogue: Catalogue = providers): readonly string[] =>
  mistakesIn(catalogue, sources)

/** Those of your own services alone, which need no catalogue. The others were checked at synth, as these were. */
export const internalSources = (sources: Sources): ReadonlyMap<string, Source> =>
  resolveFrom({}, Object.fromEntries(Object.entries(sources).filter(([, { provider }]) => provider === INTERNAL)))
