import type { Duration } from './duration.ts'

/** One entry of destinations.ts: where events may go besides `worker`. Plain data, so a JSON file can say the same. */
export type Destination = WorkerDestination | QueueDestination | BusDestination | UrlDestination

export type Destinations = Readonly<Record<string, Destination>>

/** How fast events go there, and how often each is tried. */
interface Pace {
  /** How often one event is tried, from 1 to 60, before it fails. @default 16 */
  readonly tries?: number
  /** Functions that work for it at once, from 2 to 1,000. @default 10, or less if `rate` is less */
  readonly concurrency?: number
  /** At most so many events a second or a minute. @default as fast as they come */
  readonly rate?: Rate
  /** The wait after a failed try, which doubles from the first to the longest. @default { first: '30s', longest: '4h' } */
  readonly backOff?: { readonly first?: Duration; readonly longest?: Duration }
}

/** `80/s`, `30/m`. */
export type Rate = `${number}/${'s' | 'm'}`

/** Code of yours: a function with a role of its own. */
export interface WorkerDestination extends Pace {
  /** Path of the module that exports `handler = consume(...)`, from where the app is synthesised. */
  readonly worker: string
  /** For up to ten events at once, from 2 seconds to 15 minutes. @default '5s' */
  readonly timeout?: Duration
  /** In MB. @default 512 */
  readonly memory?: number
}

/** An SQS queue of yours. Its events are done when the queue has them. */
export interface QueueDestination extends Pace {
  /** The name of the queue, in the account and region of the receiver. */
  readonly queue: string
}

/** An EventBridge bus of yours. */
export interface BusDestination extends Pace {
  /** The name of the bus, in the account and region of the receiver. */
  readonly bus: string
}

/** An HTTPS service of yours, called as Standard Webhooks say. */
export interface UrlDestination extends Pace {
  readonly url: string
  /** How long it may take to answer, from 1 second to 1 minute. @default '15s' */
  readonly timeout?: Duration
  /** It may have a private address, such as one in your VPC or on your machine. @default false */
  readonly privateAddresses?: true
}

export const DESTINATION_KINDS = ['worker', 'queue', 'bus', 'url'] as const

export type DestinationKind = (typeof DESTINATION_KINDS)[number]

export const kindOf = (destination: Destination): DestinationKind =>
  DESTINATION_KINDS.find(kind => kind in destination) ?? 'worker'

/** Where everything goes without routes. It always exists, and the receiver's own props describe it. */
export const WORKER = 'worker'

/** What a route says of events that nobody wants: no destination. */
export const IGNORE = 'ignore'

/** Everything a route may lead to. */
export const destinationNames = (destinations: object): readonly string[] => [WORKER, ...Object.keys(destinations)]

const RATE = /^([1-9]\d{0,5})\/([sm])$/

export const isRate = (value: unknown): value is Rate => typeof value === 'string' && RATE.test(value)

export const perSecond = (rate: Rate): number => {
  const [, count, unit] = RATE.exec(rate) ?? []
  return Number(count) / (unit === 's' ? 1 : 60)
}

const LEAST_AT_ONCE = 2
const USUALLY_AT_ONCE = 10

/** Few functions if the rate is low: each of them keeps to its share, and waits for it. */
export const concurrencyOf = ({ concurrency, rate }: Pick<Pace, 'concurrency' | 'rate'>): number => {
  if (concurrency !== undefined) return concurrency
  return rate === undefined
    ? USUALLY_AT_ONCE
    : Math.max(LEAST_AT_ONCE, Math.min(USUALLY_AT_ONCE, Math.floor(perSecond(rate))))
}
