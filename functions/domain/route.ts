import { WORKER } from './destinations.ts'
import { ownProperty } from './parse-json.ts'

/** One of the routes of a source: which of its events go where. */
export interface Route {
  /** @default every event */
  readonly when?: RouteCondition
  /** Names of destinations.ts, `worker`, or `ignore`. */
  readonly to: string | readonly string[]
}

export interface RouteCondition {
  /** One of these, `*` for any run of characters. An event without a type matches only `*`. */
  readonly type?: string | readonly string[]
  /** JSON paths, and the value or one of the values that has to be there. A body that is not JSON has none. */
  readonly body?: Readonly<Record<string, RouteValue | readonly RouteValue[]>>
}

export type RouteValue = string | number | boolean | null

export const WORKER_ALONE: readonly string[] = [WORKER]

/** The routes of a source as functions read them. `ignore` is an empty list. */
export interface Routing {
  readonly routes: readonly ResolvedRoute[]
  /** If no route matches. */
  readonly otherwise: readonly string[]
}

export interface ResolvedRoute {
  /** Any, if there is none. */
  readonly type?: readonly string[]
  readonly body?: readonly (readonly [path: string, values: readonly RouteValue[]])[]
  readonly to: readonly string[]
}

export interface Routable {
  readonly type: string | null
  /** The body, parsed when the first route asks for it; undefined if it is not JSON. */
  readonly json: () => unknown
}

/** Where an event goes: each destination once, in the order of the routes. None: nobody wants it. */
export const route = (event: Routable, { routing }: { readonly routing?: Routing }): readonly string[] => {
  if (!routing) return WORKER_ALONE
  const met = routing.routes.filter(each => isMet(each, event))
  return met[0] ? [...new Set(met.flatMap(({ to }) => to))] : routing.otherwise
}

/** Every condition of a route has to hold. */
export const isMet = ({ type, body }: ResolvedRoute, event: Routable): boolean =>
  (!type || type.some(pattern => matchesType(pattern, event.type))) &&
  (!body ||
    body.every(([path, values]) => values.includes(path.split('.').reduce(ownProperty, event.json()) as RouteValue)))

/** `*` stands for any run of characters, an empty one too. */
export const matchesType = (pattern: string, type: string | null): boolean => {
  if (type === null) return pattern === '*'
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return type === first
  const end = type.length - last.length
  let at = first.length
  if (end < at || !type.startsWith(first) || !type.endsWith(last)) return false
  for (const part of others) {
    const found = type.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

/** The types that the routes name one by one; undefined if they want any others, too. */
export const typesOfRoutes = ({ routing }: { readonly routing?: Routing }): readonly string[] | undefined => {
  if (!routing || routing.otherwise.length > 0) return undefined
  const types = routing.routes.filter(({ to }) => to.length > 0).flatMap(({ type }) => type ?? ['*'])
  // A pattern, or a route for everything, is no list of types.
  return types.length === 0 || types.some(type => type.includes('*')) ? undefined : [...new Set(types)]
}
