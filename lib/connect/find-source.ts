import type { Source } from '../../functions/domain/source.ts'
import { nearest } from '../../functions/providers/suggest.ts'
import { type Refusal, refuse } from './refusal.ts'

/** The source of this name, or the one that was meant. */
export const findSource = (sources: ReadonlyMap<string, Source>, name: string): Source | Refusal => {
  const source = sources.get(name)
  if (source !== undefined) return source
  const suggestion = nearest(name, sources.keys())
  const hint = suggestion ? `did you mean "${suggestion}"?` : `there are ${[...sources.keys()].join(', ')}.`
  return refuse(`There is no source "${name}": ${hint}`)
}
