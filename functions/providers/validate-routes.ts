import { IGNORE, WORKER } from '../domain/destinations.ts'
import { clip } from '../domain/record.ts'
import { expecting, fields, isPlainObject, listOf, mistake, type Rule, text } from './rules.ts'
import { suggest } from './suggest.ts'

/** What a route may say. Whether its destinations exist is another question. */
export const routesRule: Rule = (value, at) =>
  listOf(fields({ when: checkWhen, to: checkTo }, ['to']), 'route')(value, at)

const either =
  (one: Rule, many: Rule): Rule =>
  (value, at) =>
    (Array.isArray(value) ? many : one)(value, at)

const checkTo: Rule = either(text, (value, at) => [
  ...listOf(text, 'destination')(value, at),
  ...checkIgnore(value, at),
])

const checkIgnore: Rule = (value, at) =>
  Array.isArray(value) && value.length > 1 && value.includes(IGNORE)
    ? [mistake(at, value, `either destinations or "${IGNORE}"`)]
    : []

/** A type is clipped before it is compared: a longer pattern would never match. */
const checkPattern = expecting(
  'a type that an event can have, of 1 to 80 bytes, with * for any run of characters',
  value => typeof value === 'string' && value !== '' && clip('type', value) === value && value.isWellFormed(),
)

const checkValue = expecting(
  'a text, a number, true, false or null, or a list of them',
  value => value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value),
)

const checkBody: Rule = (value, at) => {
  if (!isPlainObject(value) || Object.keys(value).length === 0) {
    return [mistake(at, value, 'an object of JSON paths and values, such as { livemode: true }')]
  }
  return Object.entries(value).flatMap(([path, wanted]) => [
    ...checkPath(path, at),
    ...either(checkValue, listOf(checkValue, 'value'))(wanted, `${at}[${JSON.stringify(path)}]`),
  ])
}

const checkPath = expecting(
  'a path of names with a dot between them, such as data.object.status',
  path => typeof path === 'string' && path !== '' && !path.startsWith('json:'),
)

const checkWhen = fields({ type: either(checkPattern, listOf(checkPattern, 'type')), body: checkBody })

/** Of routes that may be wrong in other ways: every name that is no destination, and every type that no event can have. */
export const checkRouting = (
  name: string,
  config: Readonly<Record<string, unknown>>,
  destinations: readonly string[],
  hasTypes: boolean,
): readonly string[] => {
  const { routes, otherwise, ordering } = config
  if (routes === undefined) {
    return otherwise === undefined
      ? []
      : [mistake(`${name}.otherwise`, otherwise, 'nothing without `routes`: everything goes to `worker`')]
  }
  const list = (Array.isArray(routes) ? routes : []).filter(isPlainObject)
  const leadsAway = [otherwise, ...list.map(({ to }) => to)].flat().some(to => to !== undefined && !AT_HOME.has(to))
  return [
    ...list.flatMap(({ when, to }, at) => [
      ...namesIn(to).flatMap(each => unknownName(each, `${name}.routes[${at}].to`, destinations)),
      ...(hasTypes ? [] : neverTyped(when, `${name}.routes[${at}].when.type`)),
    ]),
    ...namesIn(otherwise).flatMap(each => unknownName(each, `${name}.otherwise`, destinations)),
    ...(ordering !== undefined && leadsAway
      ? [mistake(`${name}.ordering`, ordering, 'nothing beside these routes: only `worker` has a FIFO queue')]
      : []),
  ]
}

const AT_HOME: ReadonlySet<unknown> = new Set([WORKER, IGNORE])

const namesIn = (to: unknown): readonly string[] => [to].flat().filter(each => typeof each === 'string')

const unknownName = (to: string, at: string, destinations: readonly string[]): readonly string[] =>
  to === '' || to === IGNORE || destinations.includes(to)
    ? []
    : [mistake(at, to, `a destination: ${destinations.join(', ')} or ${IGNORE}${suggest(to, destinations)}`)]

const neverTyped = (when: unknown, at: string): readonly string[] => {
  const type = isPlainObject(when) ? when.type : undefined
  const patterns = namesIn(type)
  return patterns.length === 0 || patterns.includes('*')
    ? []
    : [mistake(at, type, '"*" or nothing: events of this source have no type, so nothing else matches')]
}
