import { isMet, type ResolvedRoute, type Routable, route } from '../../functions/domain/route.ts'
import type { Source } from '../../functions/domain/source.ts'

/** Where an event goes, and why. */
export type RouteExplanation = Readonly<ReturnType<typeof explainRoutes>>

/** Every route of a source and, if there is an event, what each of them makes of it. */
export const explainRoutes = (source: Source, event: Routable | undefined) => {
  const routes = source.routing?.routes ?? []
  const explained = routes.map(each => explain(each, event))
  return {
    /** None: it is ignored. */
    destinations: event ? route(event, source) : destinationsOf(source),
    because: event ? why(source, explained) : 'all that its events can go to',
    /** In the order of sources.ts. */
    routes: explained,
  }
}

const destinationsOf = ({ routing }: Source): readonly string[] =>
  routing ? [...new Set([...routing.routes.flatMap(({ to }) => to), ...routing.otherwise])] : ['worker']

const why = ({ routing }: Source, routes: readonly ReturnType<typeof explain>[]): string => {
  if (!routing) return 'the source has no routes, so everything goes to worker'
  const matched = routes.flatMap(({ matches }, index) => (matches ? [index + 1] : []))
  if (matched.length === 0) return `no route matches, so \`otherwise\` counts: ${routing.otherwise[0] ?? 'ignore'}`
  return matched.length === 1 ? `route ${matched[0]} matches` : `routes ${matched.join(', ')} match`
}

const explain = (each: ResolvedRoute, event: Routable | undefined) => ({
  /** As it is in sources.ts, in words. */
  when: conditionsOf(each).map(wordsOf).join(' and ') || 'every event',
  /** None: `ignore`. */
  to: each.to,
  /** Null if no event was given. */
  matches: event ? isMet(each, event) : null,
  /** What of it does not hold. */
  unmet: event
    ? conditionsOf(each)
        .filter(one => !isMet(one, event))
        .map(one => `${wordsOf(one)}, but ${foundIn(one, event)}`)
    : [],
})

/** Each condition as a route of its own. */
const conditionsOf = ({ type, body = [], to }: ResolvedRoute): readonly ResolvedRoute[] => [
  ...(type ? [{ type, to }] : []),
  ...body.map(one => ({ body: [one], to })),
]

const wordsOf = ({ type, body }: ResolvedRoute): string => {
  const [[path, values] = ['', []]] = body ?? []
  return type ? `type is ${type.join(' or ')}` : `${path} is ${values.map(value => JSON.stringify(value)).join(' or ')}`
}

const foundIn = ({ type, body }: ResolvedRoute, event: Routable): string => {
  if (type) return event.type === null ? 'the event has no type' : `its type is ${event.type}`
  const json = event.json()
  if (json === undefined) return 'the body is not JSON'
  const [[path] = ['']] = body ?? []
  const value = path.split('.').reduce<unknown>((inner, name) => Object(inner)[name], json)
  return value === undefined ? 'there is nothing' : `it is ${JSON.stringify(value).slice(0, 60)}`
}
