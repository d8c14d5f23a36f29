import { isSigned, type Variant } from '../domain/scheme.ts'
import type { Source } from '../domain/source.ts'
import { waysOf } from './choose-variant.ts'
import type { TokenName } from './parse-template.ts'
import { recipesOf } from './recipe.ts'

/** Headers that a source reads as they were sent, to verify a delivery or to name its event. */
export const headersRead = (source: Source): ReadonlySet<string> => {
  const { keepHeaders, unique, ordering } = source
  const selected = [unique, ordering?.key, ordering?.version].flatMap(selector =>
    selector?.startsWith('header:') ? [selector.slice('header:'.length)] : [],
  )
  return new Set([...Object.values(waysOf(source.scheme)).flatMap(headersOf), ...keepHeaders, ...selected])
}

const headersOf = (way: Variant): readonly string[] => [...(way.when ? [way.when.header] : []), ...proofHeaders(way)]

const proofHeaders = (way: Variant): readonly string[] => {
  if (isSigned(way)) return [...recipesOf(way).flatMap(({ headers }) => headers), ...(way.sig.aliases ?? [])]
  if (way.kind === 'code') return way.code.reads.headers
  return way.kind === 'jwt' && way.token.in === 'header' ? [way.token.name] : []
}

/** Whether a source reads a value of the query as it was sent: it may be a signature, or part of what is signed. */
export const readsQuery = ({ scheme }: Source, name: string): boolean =>
  Object.values(waysOf(scheme)).some(way => {
    if (!isSigned(way)) return way.kind === 'code' && way.code.reads.url === true
    return (way.sig.in === 'query' && way.sig.name === name) || signsUrl(way)
  })

const signsUrl = (way: Parameters<typeof recipesOf>[0]): boolean =>
  recipesOf(way).some(({ parts }) => parts.some(part => typeof part !== 'string' && WITH_QUERY.includes(part.token)))

const WITH_QUERY: readonly TokenName[] = ['url', 'url_decoded', 'path_and_query']
