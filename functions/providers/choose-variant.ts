import type { Delivery } from '../domain/delivery.ts'
import { isSigned, type Scheme, type SingleScheme, type Variant } from '../domain/scheme.ts'
import { locate } from './locate.ts'
import { type Found, refused } from './verdict.ts'

/** The one way of proof that a delivery is judged by: the first of the sender's ways that it shows. */
export const chooseVariant = (scheme: Scheme, delivery: Delivery): Found<SingleScheme> => {
  if (scheme.kind !== 'any') return { value: scheme }
  const chosen = Object.values(scheme.of).find(variant => isShown(variant, delivery))
  return chosen ? { value: chosen } : refused('header-missing')
}

const isShown = ({ when, ...scheme }: Variant, delivery: Delivery): boolean => {
  if (when && delivery.headers.get(when.header)?.join() !== when.is) return false
  if (isSigned(scheme)) return isThere(scheme.sig, delivery)
  if (scheme.kind === 'basic') return /^basic /i.test(delivery.headers.get('authorization')?.[0] ?? '')
  return scheme.kind === 'token' ? isThere(scheme.token, delivery) : true
}

const isThere = (place: Parameters<typeof locate>[0], delivery: Delivery): boolean => {
  const found = locate(place, delivery)
  return 'value' in found || found.refused !== 'header-missing'
}

/** The ways of proof that count for a source, by name: the one it names, the one that is required, or all its sender has. */
export const waysOf = (scheme: Scheme, variant?: unknown): Readonly<Record<string, Variant>> => {
  if (scheme.kind !== 'any') return { '': scheme }
  const entries = Object.entries(scheme.of)
  const named = entries.filter(([name]) => name === variant)
  return Object.fromEntries(named.length > 0 ? named : scheme.together ? entries.slice(0, 1) : entries)
}
