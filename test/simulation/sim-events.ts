import { createHash } from 'node:crypto'
import type { Mode, SimEvent } from './actors.ts'
import type { Ingredients } from './ingredients.ts'
import type { Chance } from './random.ts'
import type { Rig } from './rig.ts'
import { ROUTES } from './sim-destinations.ts'

const MODES: readonly Mode[] = ['effect', 'effect', 'commit', 'commit', 'flaky', 'poison', 'unprocessable', 'ignore']

/** Many events at once take as many steps: one delivery in eleven is enough to see each of their faults. */
const SENDERS = [
  ...Array(4).fill('stripe'),
  ...Array(4).fill('github'),
  'gocardless',
  'orders',
  'orders',
] as readonly SimEvent['source'][]

/** One to three deliveries, some of them with several events. */
export const someDeliveries = ({ luck, apart, ingredients, focus }: Rig): SimEvent[][] => {
  const routed = (): Routed => (ingredients.destined ? { route: apart.pick(ROUTES), atCrm: apart.pick(MODES) } : {})
  const { equalBodies, size, ordered, unreadable } = ingredients
  const count = size === 'large' ? 1 : luck.between(1, 3)
  const deliveries = Array.from({ length: count }, (_, index) => {
    const source = size === 'large' || (ordered && index < 2) ? 'stripe' : unreadable ? 'github' : luck.pick(SENDERS)
    if (source === 'orders') return somePublications(luck, `order-${index}`, routed())
    const one = (item: number): SimEvent => webhook(luck, ingredients, source, `${source}-${index}-${item}`, routed())
    return [source === 'gocardless' ? [one(0), one(1)] : [one(0)]]
  }).flat()
  const all = equalBodies ? [...deliveries, ...twins(luck)] : deliveries
  return all.map(together => together.map(event => ({ ...event, mode: focus.mode ?? event.mode })))
}

/** Those that never came: only the list of their sender has them. */
export const someMissed = ({ aside, ingredients }: Rig): SimEvent[] => {
  if (!ingredients.reconciles) return []
  const routed = (): Routed => (ingredients.destined ? { route: aside.pick(ROUTES), atCrm: aside.pick(MODES) } : {})
  return Array.from({ length: aside.between(1, 2) }, (_, index) => ({
    ...webhook(aside, ingredients, 'stripe', `missed-${index}`, routed()),
    isMissed: true,
  }))
}

type Routed = Pick<SimEvent, 'route' | 'atCrm'>

const routeIn = ({ route }: Routed): string => (route === undefined ? '' : `, "route": "${route}"`)

const webhook = (
  luck: Chance,
  ingredients: Ingredients,
  source: SimEvent['source'],
  id: string,
  routed: Routed,
): SimEvent => {
  const rest = `${routeIn(routed)}${paddingOf(ingredients, source)}`
  const render = (version: number): string =>
    `{ "id": "${id}", "type": "simulated", "about": "one", "version": ${version}${rest} }`
  const renderings = ingredients.rerenders ? [render(0), render(1)] : [render(0)]
  return { ...NEW, source, id, body: renderings[0] as string, renderings, mode: luck.pick(MODES), ...routed }
}

/** GitHub signs the body and not the id: two deliveries may have the same bytes, and only their headers say that they are two. */
const twins = (luck: Chance): SimEvent[][] => {
  const mode = luck.pick(MODES)
  const body = '{ "type": "simulated", "about": "twins" }'
  return ['twin-0', 'twin-1'].map(id => [{ ...NEW, source: 'github', id, body, renderings: [body], mode }])
}

const paddingOf = ({ size }: Ingredients, source: SimEvent['source']): string =>
  size === 'small' || source === 'gocardless' ? '' : `, "padding": "${PADDING[size]()}"`

const once = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The same for all schedules, and hard to compress. */
const noise = (bytes: number): string =>
  Array.from({ length: bytes / 48 }, (_, index) => createHash('sha384').update(String(index)).digest('base64')).join('')

/** One is filed in S3, the other is too large for a message. */
const PADDING = { medium: once(() => noise(12_000)), large: once(() => noise(800_000)) }

/** A service's events; perhaps it has used a key twice; perhaps another service has the same keys. */
const somePublications = (luck: Chance, id: string, routed: Routed): SimEvent[][] => {
  const mode = luck.pick(MODES)
  const one = (caller: string, key: string, total: number): SimEvent => {
    const body = `{ "by": "${caller}", "key": "${key}", "total": ${total}${routeIn(routed)} }`
    return { ...NEW, source: 'orders', caller, id: key, body, renderings: [body], mode, ...routed }
  }
  const keys = [`${id}-0`, `${id}-1`].slice(0, luck.between(1, 2))
  const publications = [keys.map(key => one('billing', key, 1))]
  const [key] = keys as [string]
  if (luck.happens(0.4)) publications.push([one('billing', key, 2)])
  if (luck.happens(0.3)) publications.push([one('shop', key, 1)])
  return publications
}

const NEW = { fingerprint: undefined, acknowledged: false, refused: false, tries: 0, flying: 0 } as const
