import { IGNORE } from '../domain/destinations.ts'
import type { Route, RouteCondition, Routing } from '../domain/route.ts'
import type { SourceConfig } from '../domain/source.ts'

/** The routes of a source with every default filled in, or none: then everything goes to `worker`. */
export const routingOf = ({ routes, otherwise = IGNORE }: SourceConfig): { readonly routing?: Routing } =>
  routes === undefined
    ? {}
    : {
        routing: {
          routes: routes.map(({ when = {}, to }: Route) => ({ ...conditionOf(when), to: destinationsOf(to) })),
          otherwise: destinationsOf(otherwise),
        },
      }

const conditionOf = ({ type, body }: RouteCondition) => ({
  ...(type !== undefined && { type: listed(type) }),
  ...(body !== undefined && { body: Object.entries(body).map(([path, value]) => [path, listed(value)] as const) }),
})

const destinationsOf = (to: Route['to']): readonly string[] => listed(to).filter(name => name !== IGNORE)

const listed = <Value>(value: Value | readonly Value[]): readonly Value[] =>
  Array.isArray(value) ? value : [value as Value]
