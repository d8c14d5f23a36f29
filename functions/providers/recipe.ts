import type { HeaderMap } from '../domain/delivery.ts'
import type { SignatureField, SignedScheme, TimestampField } from '../domain/scheme.ts'
import { parseTemplate, type TemplatePart } from './parse-template.ts'
import { type Found, refused } from './verdict.ts'

/** A signed scheme made ready once: the names of one header family, and the template in parts. */
export interface Recipe {
  readonly sig: SignatureField
  readonly ts: TimestampField | undefined
  readonly parts: readonly TemplatePart[]
  /** Every header the scheme reads. */
  readonly headers: readonly string[]
}

/**
 * The recipe of the family whose signature was sent. A stray header of an earlier family is refused: `svix-id` beside
 * a good `webhook-signature` would be an unsigned id, and a captured delivery could pass as a new event.
 */
export const chooseRecipe = (scheme: SignedScheme, headers: HeaderMap): Found<Recipe> => {
  const [first, ...others] = recipesOf(scheme)
  if (first === undefined || others.length === 0 || headers.has(first.sig.name)) return first ? { value: first } : NONE
  const chosen = others.find(({ sig }) => headers.has(sig.name))
  if (chosen === undefined) return NONE
  const earlier = [first, ...others.slice(0, others.indexOf(chosen))]
  return earlier.some(recipe => recipe.headers.some(name => headers.has(name)))
    ? refused('header-malformed')
    : { value: chosen }
}

const NONE = refused('header-missing')

const cache = new WeakMap<SignedScheme, readonly Recipe[]>()

export const recipesOf = (scheme: SignedScheme): readonly Recipe[] => {
  const known = cache.get(scheme)
  if (known) return known
  const recipes = (scheme.families ?? ['']).map(family => recipeFor(scheme, scheme.families?.[0] ?? '', family))
  cache.set(scheme, recipes)
  return recipes
}

const recipeFor = (scheme: SignedScheme, first: string, family: string): Recipe => {
  const rename = (name: string) => (name.startsWith(first) ? family + name.slice(first.length) : name)
  const template = parseTemplate(scheme.signed)
  if ('problem' in template) throw new TypeError(template.problem)
  const parts = template.parts.map(part =>
    typeof part !== 'string' && part.token === 'header' ? { ...part, argument: rename(part.argument) } : part,
  )
  const sig = scheme.sig.in === 'header' ? { ...scheme.sig, name: rename(scheme.sig.name) } : scheme.sig
  const ts = scheme.ts?.in === 'header' ? { ...scheme.ts, name: rename(scheme.ts.name) } : scheme.ts
  return { sig, ts, parts, headers: headersOf(sig, ts, parts) }
}

const headersOf = (sig: SignatureField, ts: TimestampField | undefined, parts: readonly TemplatePart[]) => [
  ...(sig.in === 'header' ? [sig.name] : []),
  ...(ts?.in === 'header' ? [ts.name] : []),
  ...parts.flatMap(part => (typeof part !== 'string' && part.token === 'header' ? [part.argument] : [])),
]
