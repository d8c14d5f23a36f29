import { Duration } from 'aws-cdk-lib'
import { WORKER_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { concurrencyOf, type Destination, kindOf, perSecond } from '../../functions/domain/destinations.ts'
import { durationSeconds } from '../../functions/domain/duration.ts'

export interface Timing {
  readonly timeout: Duration
  readonly maxConcurrency: number
  readonly batchSize: number
  /** What its function is told, as JSON; absent if it says nothing. */
  readonly pace: string | undefined
  /** Of a URL: how long one answer may take. */
  readonly answerSeconds: number
}

const MOST_AT_ONCE = 10
/** Events of one batch wait for each other's share at most so long, unless one alone takes longer. */
const BATCH_WAIT_MS = 10_000
const LAMBDA_SECONDS = 900
const URL_SECONDS = 15
/** To hand ten events over, and to keep their bodies. */
const HAND_OVER_SECONDS = 30

/** What concurrency, rate, timeout and back-off mean for a queue and its function. */
export const timingOf = (destination: Destination): Timing => {
  const { rate, backOff = {} } = destination
  const maxConcurrency = concurrencyOf(destination)
  const every = rate === undefined ? 0 : Math.ceil((maxConcurrency / perSecond(rate)) * 1000)
  const batchSize = every === 0 ? MOST_AT_ONCE : Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(BATCH_WAIT_MS / every)))
  const waits = Math.ceil((every * batchSize) / 1000)
  const said = {
    ...(every > 0 && { every }),
    ...(backOff.first && { first: durationSeconds(backOff.first) }),
    ...(backOff.longest && { longest: durationSeconds(backOff.longest) }),
  }
  return {
    timeout: Duration.seconds(Math.min(LAMBDA_SECONDS, ownSeconds(destination) + waits)),
    maxConcurrency,
    batchSize,
    pace: Object.keys(said).length > 0 ? JSON.stringify(said) : undefined,
    answerSeconds: answerSeconds(destination),
  }
}

const ownSeconds = (destination: Destination): number => {
  switch (kindOf(destination)) {
    case 'worker':
      return 'timeout' in destination && destination.timeout
        ? durationSeconds(destination.timeout)
        : WORKER_TIMEOUT_SECONDS
    case 'queue':
    case 'bus':
      return HAND_OVER_SECONDS
    case 'url':
      // Five more to read the secret, and to report.
      return answerSeconds(destination) + 5
  }
}

const answerSeconds = (destination: Destination): number =>
  'url' in destination && destination.timeout ? durationSeconds(destination.timeout) : URL_SECONDS
