import type { Scheme, Variant } from '../domain/scheme.ts'

/** The ways of proof that count for a source, by name: the one it names, the one that is required, or all its sender has. */
export const waysOf = (scheme: Scheme, variant?: unknown): Readonly<Record<string, Variant>> => {
  if (scheme.kind !== 'any') return { '': scheme }
  const entries = Object.entries(scheme.of)
  const named = entries.filter(([name]) => name === variant)
  return Object.fromEntries(named.length > 0 ? named : scheme.together ? entries.slice(0, 1) : entries)
}
