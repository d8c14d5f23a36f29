import { isIP } from 'node:net'
import { DESTINATION_KINDS, type Destination, IGNORE, isRate, perSecond, WORKER } from '../domain/destinations.ts'
import { durationSeconds, isDuration } from '../domain/duration.ts'
import { isPublicAddress } from '../domain/public-address.ts'
import { expecting, fields, isPlainObject, mistake, type Rule, text, yes } from './rules.ts'

/** Every mistake in destinations.ts, each with its destination, its field, what was found and what was expected. */
export const destinationMistakes = (destinations: unknown): readonly string[] =>
  isPlainObject(destinations)
    ? [
        ...Object.entries(destinations).flatMap(([name, destination]) => checkDestination(name, destination)),
        ...namesakes(Object.keys(destinations)),
      ]
    : [mistake('destinations', destinations, 'an object of destinations by name')]

const checkDestination = (name: string, destination: unknown): readonly string[] => {
  const at = `destination ${JSON.stringify(name)}`
  if (!isPlainObject(destination)) return [...checkName(name, at), mistake(at, destination, ONE_KIND)]
  const kinds = DESTINATION_KINDS.filter(kind => destination[kind] !== undefined)
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) {
    const found = kinds.length > 1 ? kinds.join(' and ') : 'none of them'
    return [...checkName(name, at), `${at}: found ${found}, expected ${ONE_KIND}`]
  }
  const rules = { ...PACE_RULES, ...KIND_RULES[kind] }
  return [
    ...checkName(name, at),
    ...fields(rules)(destination, at),
    ...checkShare(destination, at),
    ...checkReach(destination, at),
  ]
}

const ONE_KIND = 'an object with one of worker, queue, bus and url'

const RESERVED = new Map([
  [WORKER, 'another name: `worker` always exists, and the props of the receiver describe it'],
  [IGNORE, 'another name: in a route, `ignore` means that nobody gets the event'],
])

const checkName: Rule = (name, at) => {
  const reserved = RESERVED.get(String(name))
  return reserved === undefined ? checkLetters(name, at) : [mistake(at, name, reserved)]
}

// It is a part of the names of resources, outputs and alarms.
const checkLetters = expecting(
  'a name of at most 32 characters: lower-case letters, digits and hyphens, starting with a letter',
  name => /^[a-z][a-z0-9-]{0,31}$/.test(String(name)),
)

/** CloudFormation drops the hyphens of a name. */
const namesakes = (names: readonly string[]): readonly string[] =>
  names.flatMap((name, at) => {
    const same = names.slice(0, at).find(other => other.replaceAll('-', '') === name.replaceAll('-', ''))
    return same === undefined
      ? []
      : [
          mistake(
            `destination ${JSON.stringify(name)}`,
            name,
            `a name that differs from "${same}" by more than hyphens`,
          ),
        ]
  })

const wholeNumber = (least: number, most: number): Rule =>
  expecting(
    `a whole number from ${least} to ${most}`,
    value => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  )

const between = (least: number, most: number, words: string): Rule =>
  expecting(
    `a whole number and a unit, ${words}`,
    value => isDuration(value) && durationSeconds(value) >= least && durationSeconds(value) <= most,
  )

/** SQS hides no message longer than twelve hours, and the wait may be a fifth longer than it says. */
const WAIT = between(1, 36_000, 'from 1s to 10h')

const PACE_RULES = {
  tries: wholeNumber(1, 60),
  concurrency: wholeNumber(2, 1_000),
  rate: expecting('a whole number of at least 1 for each second or minute, such as "80/s" or "30/m"', isRate),
  backOff: (value, at) => [...fields({ first: WAIT, longest: WAIT })(value, at), ...checkOrder(value, at)],
} satisfies Readonly<Record<string, Rule>>

const checkOrder: Rule = (value, at) => {
  const { first = '30s', longest = '4h' } = isPlainObject(value) ? value : {}
  if (!isDuration(first) || !isDuration(longest) || durationSeconds(first) <= durationSeconds(longest)) return []
  return [mistake(`${at}.longest`, longest, `at least the first wait, which is ${first}`)]
}

/** A function waits for its share inside its own time, and that is 15 minutes at most. */
const LONGEST_SHARE_SECONDS = 300

const checkShare = ({ concurrency = 2, rate }: Readonly<Record<string, unknown>>, at: string): readonly string[] => {
  if (!isRate(rate) || typeof concurrency !== 'number') return []
  return concurrency / perSecond(rate) <= LONGEST_SHARE_SECONDS
    ? []
    : [mistake(`${at}.concurrency`, concurrency, `fewer: at ${rate}, each of them would wait minutes for its turn`)]
}

const isHttps = (value: unknown): boolean => {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, username, password, hash } = new URL(value)
  return protocol === 'https:' && username === '' && password === '' && hash === ''
}

/** A name is looked up at each call; an address that stands in the URL is known here. */
const checkReach = ({ url, privateAddresses }: Readonly<Record<string, unknown>>, at: string): readonly string[] => {
  if (privateAddresses === true || !isHttps(url)) return []
  const host = new URL(String(url)).hostname.replace(/^\[|\]$/g, '')
  const isReachable = isIP(host) === 0 ? host !== 'localhost' && !host.endsWith('.localhost') : isPublicAddress(host)
  return isReachable ? [] : [mistake(`${at}.url`, url, 'a public address, or `privateAddresses: true` beside it')]
}

const KIND_RULES = {
  worker: { worker: text, timeout: between(2, 900, 'from 2s to 15m'), memory: wholeNumber(128, 10_240) },
  queue: {
    queue: expecting(
      'the name of an SQS queue, such as crm-events or crm-events.fifo',
      value => typeof value === 'string' && /^[\w-]{1,75}(\.fifo)?$/.test(value),
    ),
  },
  bus: {
    bus: expecting(
      'the name of an EventBridge bus',
      value => typeof value === 'string' && /^[\w./-]{1,256}$/.test(value),
    ),
  },
  url: {
    url: expecting('an https:// URL without user, password and fragment', isHttps),
    timeout: between(1, 60, 'from 1s to 1m'),
    privateAddresses: yes,
  },
} satisfies { readonly [Kind in (typeof DESTINATION_KINDS)[number]]: Readonly<Record<FieldOf<Kind>, Rule>> }

/** What a kind has besides its pace: a new field does not compile without its rule. */
type FieldOf<Kind extends string> = Exclude<
  keyof Extract<Destination, { readonly [Name in Kind]: string }>,
  keyof typeof PACE_RULES
>
