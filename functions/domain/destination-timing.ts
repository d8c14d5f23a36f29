import { WORKER_TIMEOUT_SECONDS } from '../contract/limits.ts'
import { type Seconds, seconds } from './brands.ts'
import { concurrencyOf, type Destination, kindOf, perSecond } from './destinations.ts'
import { durationSeconds } from './duration.ts'

export interface Timing {
  /** Of its function. */
  readonly timeoutSeconds: number
  readonly batchSize: number
  /** Milliseconds between two events of one function; 0: there is no rate. */
  readonly every: number
  /** Waits after a failed try, if it says any. */
  readonly waits: { readonly first?: Seconds; readonly longest?: Seconds }
  /** Of a URL: how long one answer may take. */
  readonly answerSeconds: number
}

const MOST_AT_ONCE = 10
/** Events of one batch wait for each other's share at most so long, unless one alone takes longer. */
const BATCH_WAIT_MS = 10_000
const LAMBDA_SECONDS = 900
const URL_SECONDS = seconds(15)
/** To hand ten events over, and to keep their bodies. */
const HAND_OVER_SECONDS = 30
/** To read the secret of a URL, and to report. */
const AROUND_SECONDS = 5

/** What concurrency, rate, timeout and back-off mean for a queue and for each of so many functions behind it. */
export const timingOf = (destination: Destination, functions = concurrencyOf(destination)): Timing => {
  const { rate, backOff = {} } = destination
  const every = rate === undefined ? 0 : Math.ceil((functions / perSecond(rate)) * 1000)
  const batchSize = every === 0 ? MOST_AT_ONCE : Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(BATCH_WAIT_MS / every)))
  const answerSeconds = 'url' in destination ? secondsOf(destination.timeout, URL_SECONDS) : URL_SECONDS
  const own = ownSeconds(destination, answerSeconds)
  return {
    timeoutSeconds: Math.min(LAMBDA_SECONDS, own + Math.ceil((every * batchSize) / 1000)),
    batchSize,
    every,
    waits: {
      ...(backOff.first && { first: durationSeconds(backOff.first) }),
      ...(backOff.longest && { longest: durationSeconds(backOff.longest) }),
    },
    answerSeconds,
  }
}

const ownSeconds = (destination: Destination, answerSeconds: number): number => {
  switch (kindOf(destination)) {
    case 'worker':
      return secondsOf('worker' in destination ? destination.timeout : undefined, WORKER_TIMEOUT_SECONDS)
    case 'queue':
    case 'bus':
      return HAND_OVER_SECONDS
    case 'url':
      return answerSeconds + AROUND_SECONDS
  }
}

const secondsOf = (said: Parameters<typeof durationSeconds>[0] | undefined, otherwise: number): number =>
  said === undefined ? otherwise : durationSeconds(said)
