import { NOON } from '../support/events.ts'
import type { Chance } from './random.ts'

export type Service = 'dynamodb' | 'sqs' | 's3' | 'secretsmanager'

export interface Stretch {
  readonly from: number
  readonly until: number
}

/** What there is in the world of one schedule: a few of many, so each has its time. */
export interface Ingredients {
  readonly startsAt: number
  /** An event has another body each time it is delivered. */
  readonly rerenders: boolean
  /** Two events that differ in nothing but their ids. */
  readonly equalBodies: boolean
  /** In the message and the table, in S3, or too large for a message. */
  readonly size: 'small' | 'medium' | 'large'
  readonly ordered: boolean
  readonly outage: (Stretch & { readonly service: Service }) | undefined
  /** Nobody can read the body of the first event. */
  readonly unreadable: boolean
  readonly malformed: boolean
  readonly workersAway: Stretch | undefined
  /** Clocks may be wrong by so much, in milliseconds. */
  readonly skew: number
  /** A record is deleted before its time. */
  readonly deletesEarly: boolean
  /** Until records have expired, and longer. */
  readonly weeks: boolean
  /** From the expiry of an item to its deletion. */
  readonly ttlLag: number
  /** So often a message is handed out before it is a dead letter. */
  readonly receives: number
  readonly tries: number
  /** Sources have routes: some events go to several destinations, some to none. */
  readonly destined: boolean
  /** Somebody pauses one of them. */
  readonly pauses: boolean
  /** Some events never come, and the list of their sender has them. */
  readonly reconciles: boolean
  /** One of them throws at everything that it gets. */
  readonly destinationOut: (Stretch & { readonly destination: string }) | undefined
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const BEFORE_MIDNIGHT = NOON + 12 * HOUR - 2 * MINUTE
const OUTAGES = [3 * MINUTE, 20 * MINUTE, 2 * HOUR, DAY] as const
/** An outage costs as much as three schedules: senders and workers come again and again until it is over. */
const OUTAGE_IN = 0.06
const ABSENCES = [2 * HOUR, DAY, 5 * DAY, 13 * DAY, 16 * DAY] as const
const SERVICES = ['dynamodb', 'sqs', 's3', 'secretsmanager'] as const
/** One in eighty bodies is large: each costs as much as ten schedules. */
const SIZES = [...Array(73).fill('small'), ...Array(6).fill('medium'), 'large'] as readonly Ingredients['size'][]
const TTL_LAGS = [0, 2 * DAY, Number.POSITIVE_INFINITY] as const

/** `apart` and `aside`: chance of its own for what was added later, so what has no part in it stays as it was. */
export const ingredientsOf = (luck: Chance, apart: Chance, aside: Chance): Ingredients => {
  const world = wideWorld(luck)
  const given = { ...world, reconciles: aside.happens(0.06) && world.size !== 'large' }
  // Only `worker` has a group in order. Large bodies and those that nobody can read have enough to do by themselves.
  const destined = apart.happens(0.15) && !given.ordered && !given.unreadable && given.size !== 'large'
  if (!destined) return { ...given, destined, pauses: false, destinationOut: undefined }
  const pauses = apart.happens(0.25)
  const from = given.startsAt + apart.below(2 * MINUTE)
  const out = { from, until: from + apart.pick(OUTAGES), destination: apart.pick(['billing', 'crm']) }
  const destinationOut = apart.happens(0.25) ? out : undefined
  // Only so many tries last for a day.
  return { ...given, destined, pauses, destinationOut, ...(destinationOut && { receives: 1_000, tries: 16 }) }
}

type WideWorld = Omit<Ingredients, 'destined' | 'pauses' | 'destinationOut' | 'reconciles'>

const wideWorld = (luck: Chance): WideWorld => {
  const startsAt = luck.happens(0.15) ? BEFORE_MIDNIGHT + luck.below(MINUTE) : NOON
  const after = (delay: number, lengths: readonly number[]): Stretch => {
    const from = startsAt + luck.below(delay)
    return { from, until: from + luck.pick(lengths) }
  }
  const outage = luck.happens(OUTAGE_IN) ? { ...after(2 * MINUTE, OUTAGES), service: luck.pick(SERVICES) } : undefined
  const workersAway = luck.happens(0.06) ? after(MINUTE, ABSENCES) : undefined
  const isShort = luck.happens(0.6) && !outage && !workersAway
  const size = luck.pick(SIZES)
  const ordered = luck.happens(0.12)
  return {
    startsAt,
    outage,
    workersAway,
    rerenders: luck.happens(0.15),
    equalBodies: luck.happens(0.12),
    size,
    ordered,
    // The message of a large body points to it, and its group would wait for twelve days, a quarter of an hour at a time.
    unreadable: luck.happens(0.06) && !(ordered && size === 'large'),
    malformed: luck.happens(0.1),
    skew: luck.happens(0.12) ? MINUTE : 5_000,
    deletesEarly: luck.happens(0.06),
    weeks: luck.happens(0.03),
    ttlLag: luck.pick(TTL_LAGS),
    receives: isShort ? 5 : 1_000,
    tries: isShort ? 5 : 16,
  }
}

/** Nothing is held against the code that no code could do: a message lives for 14 days, and fails after 12. */
export const isTooLong = ({ workersAway }: Ingredients): boolean =>
  workersAway !== undefined && workersAway.until - workersAway.from > 11 * DAY
