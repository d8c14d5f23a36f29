import type { Source } from '../../functions/domain/source.ts'
import { nearest } from '../../functions/providers/suggest.ts'
import { type Refusal, refuse } from './refusal.ts'

/** The source of this name, or a refusal that says which one may be meant. */
export const findSource = (sources: ReadonlyMap<string, Source>, name: string): Source | Refusal =>
  sources.get(name) ?? noSource([...sources.keys()], name)

/** `undefined` if there is such a source, or if none was named. */
export const unknownSource = (names: readonly string[], name: string | undefined): Refusal | undefined =>
  name === undefined || names.includes(name) ? undefined : noSource(names, name)

const noSource = (names: readonly string[], name: string): Refusal => {
  const suggestion = nearest(name, names)
  return refuse(
    `There is no source "${name}": ${suggestion ? `did you mean "${suggestion}"?` : `there are ${names.join(', ')}.`}`,
  )
}
