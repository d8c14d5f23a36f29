import type { Coverage } from '../domain/coverage.ts'
import type { Batch } from '../domain/provider.ts'
import type { Scheme } from '../domain/scheme.ts'
import type { Selector } from '../domain/selector.ts'
import type { Source } from '../domain/source.ts'
import { waysOf } from './choose-variant.ts'
import { coverageOf } from './coverage.ts'

/** Why somebody who has seen one delivery could send it again as another event, and what to write in sources.ts against that. */
export interface CapturedId {
  readonly why: 'unsigned-id' | 'unsigned-body' | 'no-id'
  /** Null if nothing stops it. */
  readonly stop: string | null
}

/** Null if a captured delivery is always the event it was. */
export const capturedId = (source: Source): CapturedId | null => {
  const { publish, unique, guard, identity, batch, provider } = source
  if (publish !== null || unique !== null || guard !== false) return null
  if (identity.kind === 'delivery') return { why: 'no-id', stop: null }
  const open = Object.values(waysOf(source.scheme))
    .map(coverageOf)
    .filter(coverage => !namesSigned({ identity, batch }, coverage))
  if (open.length === 0) return null
  const why = open.some(({ body }) => body === 'nothing') ? 'unsigned-body' : 'unsigned-id'
  return { why, stop: guardKind(source.scheme) ? GUARD : betterWay(source, provider.scheme) }
}

const GUARD = "guard: 'body'"

/** Another way of the same sender that signs the id, or a body to guard. */
const betterWay = ({ identity, batch }: Named, scheme: Scheme): string | null => {
  const ways = Object.entries(waysOf(scheme)).filter(([name]) => name !== '')
  const named = ways.find(([, way]) => namesSigned({ identity, batch }, coverageOf(way)))
  if (named) return `config: { variant: '${named[0]}' }`
  const guarded = ways.find(([, way]) => guardKind(way))
  return guarded ? `config: { variant: '${guarded[0]}' }, ${GUARD}` : null
}

/** What `guard: 'body'` claims of such deliveries; undefined if that would be nothing, or one thing for one and another for the next. */
export const guardKind = (scheme: Scheme, variant?: unknown): 'bytes' | 'signed' | undefined => {
  const [body, ...others] = new Set(Object.values(waysOf(scheme, variant)).map(way => coverageOf(way).body))
  if (others.length > 0) return undefined
  return body === 'bytes' ? 'bytes' : body === 'form' ? 'signed' : undefined
}

type Named = Pick<Source, 'identity' | 'batch'>

/** Whether all that an event is named by is signed. */
export const namesSigned = ({ identity, batch }: Named, coverage: Coverage): boolean => {
  // An item may be named by its delivery.
  if (batch?.otherwise) return false
  if (batch) return coverage.body === 'bytes' || itemIds(batch).every(selector => covers(coverage, selector))
  switch (identity.kind) {
    case 'id':
      return [...identity.id, ...(identity.scope ?? []), ...(identity.also ?? [])].every(selector =>
        covers(coverage, selector),
      )
    case 'business':
      return identity.parts.every(selector => covers(coverage, selector))
    case 'body':
      return (
        (identity.scope ?? []).every(selector => covers(coverage, selector)) &&
        (coverage.body === 'bytes' || (identity.of !== undefined && coverage.fields.includes(identity.of as Selector)))
      )
    case 'json':
      return coverage.body === 'bytes'
    case 'signed':
      return true
    case 'delivery':
      return false
  }
}

/** Where a name ends is not signed in a form, so none of its fields is. */
const covers = ({ body, fields, headers }: Coverage, selector: Selector): boolean => {
  if (selector.startsWith('header:')) return headers.includes(selector.slice('header:'.length))
  return body === 'bytes' || fields.includes(selector)
}

/** An item without an id of its own is named by its bytes, which no listed field covers. */
const itemIds = ({ path, id = [] }: Batch): readonly Selector[] =>
  path === 'root array' || id.length === 0 ? ['json:*'] : id.map(each => `${path}.*.${each}` as const)
