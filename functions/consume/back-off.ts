import { type Millis, type Seconds, seconds } from '../domain/brands.ts'
import type { Work } from './outcome.ts'
import type { Pace } from './pace.ts'

const FIRST_WAIT = 30
const MINUTE = 60
const HOUR = 60 * MINUTE

/** 16 tries then take 28 hours: an outage of a day of what a handler calls is not the end of an event. */
const LONGEST_AFTER_FAILURE = 4 * HOUR
/** Its whole group waits with it. */
const LONGEST_IN_ORDER = 15 * MINUTE
/** In twelve days a message comes back 864 times at most, which is under the thousand that SQS allows. */
const LONGEST_IN_OUTAGE = 20 * MINUTE
/** SQS hides no message for more than 12 hours from its receipt, and refuses a longer wait; a function may have run for 15 minutes by now. */
const LONGEST = 12 * HOUR - 15 * MINUTE

/** How long a message stays hidden that has to come back. */
export const backOff = (
  ended: Work,
  { receiveCount, group }: { readonly receiveCount: number; readonly group: string | null },
  now: Millis,
  random: number,
  pace: Pace = {},
): Seconds => {
  switch (ended.work) {
    case 'attempt-failed':
      return seconds(Math.min(LONGEST, Math.max(waitAfter(ended.attempts, group, random, pace), ended.retryAfter ?? 0)))
    case 'busy':
      return seconds(Math.min(LONGEST, Math.max(1, Math.ceil((ended.leaseUntil - now) / 1000 + random))))
    default:
      return doubled(receiveCount, LONGEST_IN_OUTAGE, random)
  }
}

/** How long an event waits after so many tries. */
export const waitAfter = (
  attempts: number,
  group: string | null,
  random: number,
  { first = seconds(FIRST_WAIT), longest = seconds(LONGEST_AFTER_FAILURE) }: Pace = {},
): Seconds => doubled(attempts, group === null ? longest : LONGEST_IN_ORDER, random, first)

/** Doubling, and up to a fifth longer: what failed together does not come back together. Never shorter, or tries would run out early. */
const doubled = (count: number, longest: number, random: number, first = FIRST_WAIT): Seconds =>
  seconds(Math.min(longest, first * 2 ** Math.max(0, count - 1)) * (1 + random / 5))
