import type { Source } from '../../functions/domain/source.ts'
import { nearest } from '../../functions/providers/suggest.ts'
import { type Refusal, refuse } from './refusal.ts'

/** The source of this name, or a refusal that says which one may be meant. */
export const findSource = (sources: ReadonlyMap<string, Source>, name: string): Source | Refusal =>
  sources.get(name) ?? noSource([...sources.keys()], name)

/** `undefined` if there is such a source, or if none was named. */
export const unknownSource = (names: readonly string[], name: string | undefined): Refusal | undefined =>
  name === undefined || names.includes(name) ? undefined : noSource(names, name)

const noSource = (names: readonly string[], name: string): Refusal =>
  refuse(`There is no source "${name}": ${instead(names, name)}`)

/** What to write in place of a name that is none of these. */
export const instead = (names: readonly string[], name: string): string => {
  const suggestion = nearest(name, names)
  if (suggestion !== undefined) return `did you mean "${suggestion}"?`
  return names.length === 1 ? `there is only ${names[0]}.` : `there are ${names.join(', ')}.`
}
