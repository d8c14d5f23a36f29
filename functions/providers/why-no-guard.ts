import type { Provider } from '../domain/provider.ts'
import { guardKind, namesSigned } from './captured-id.ts'
import { waysOf } from './choose-variant.ts'
import { coverageOf } from './coverage.ts'
import { isPlainObject } from './rules.ts'

/** A guard claims what was signed of the body: it must be something, and always the same thing. What to say instead if it is not. */
export const whyNoGuard = (
  { identity = 'provider', config }: Readonly<Record<string, unknown>>,
  provider: Provider,
): string | undefined => {
  const { unique, scheme, batch = null } = provider
  const own = identity === 'provider'
  if (own && provider.identity.kind === 'delivery')
    return 'nothing: this provider sends the same body for different events'
  if (unique) return `nothing: the body is not signed, and ${unique}, which is, belongs to one event anyway`
  const variant = isPlainObject(config) ? config.variant : undefined
  if (guardKind(scheme, variant)) return undefined
  const ways = Object.entries(waysOf(scheme, variant))
  const named = { identity: provider.identity, batch }
  // What is signed names the event already: there is nothing more to claim.
  if (own && ways.every(([, way]) => namesSigned(named, coverageOf(way)))) return undefined
  const better = ways.filter(([, way]) => guardKind(way)).map(([name]) => `"${name}"`)
  if (better.length > 0) return `nothing, or config.variant ${better.join(' or ')}: the other ways do not sign the body`
  return ways.some(([, way]) => coverageOf(way).body === 'fields')
    ? 'nothing: only some fields are signed: leave identity out, and they name the event'
    : 'nothing: this provider does not sign the body'
}
