import type { ResolvedRoute, Routing } from '../domain/route.ts'

/** Whether some event could go to several destinations at once: by one route, or by two that it matches. */
export const leadsToSeveral = ({ routing }: { readonly routing?: Routing }): boolean =>
  routing?.routes.some(
    (one, at) =>
      new Set(one.to).size > 1 ||
      routing.routes.slice(0, at).some(other => new Set([...one.to, ...other.to]).size > 1 && overlap(one, other)),
  ) ?? false

/** Whether an event could match both. */
const overlap = (one: ResolvedRoute, other: ResolvedRoute): boolean =>
  typesMeet(one.type ?? ['*'], other.type ?? ['*']) &&
  (one.body ?? []).every(([path, values]) => {
    const [, others] = other.body?.find(([same]) => same === path) ?? []
    return others === undefined || others.some(value => values.includes(value))
  })

const typesMeet = (some: readonly string[], others: readonly string[]): boolean =>
  some.some(one => others.some(other => meet(one, other)))

/** Whether some text matches both patterns: each place in one is compared with each place in the other once. */
const meet = (one: string, other: string): boolean => {
  const known = new Map<string, boolean>()
  const from = (at: number, beside: number): boolean => {
    const key = `${at} ${beside}`
    const answer = known.get(key) ?? step(at, beside)
    known.set(key, answer)
    return answer
  }
  const step = (at: number, beside: number): boolean => {
    const mine = one[at]
    const theirs = other[beside]
    if (mine === '*') return from(at + 1, beside) || (theirs !== undefined && from(at, beside + 1))
    if (theirs === '*') return from(at, beside + 1) || (mine !== undefined && from(at + 1, beside))
    return mine === theirs && (mine === undefined || from(at + 1, beside + 1))
  }
  return from(0, 0)
}
