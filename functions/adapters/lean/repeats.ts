import { ConnectionFault } from './exchange.ts'
import { ServiceFault } from './service-fault.ts'

/** Whether the same call may do better a moment later. It may have been applied: the protocol knows its own fence. */
export const isRepeatable = (error: unknown): boolean =>
  error instanceof ConnectionFault ||
  (error instanceof ServiceFault && (error.answer.status >= 500 || TRANSIENT.has(error.name) || isThrottling(error)))

/** Milliseconds, from nothing to twice as much after each attempt; more of it where the service asks for less. */
export const delayBefore = (attempts: number, error: unknown, random: number): number =>
  Math.floor(random * (isThrottling(error) ? 500 : 100) * 2 ** (attempts - 1))

const isThrottling = (error: unknown): boolean =>
  error instanceof ServiceFault && (error.answer.status === 429 || THROTTLING.has(error.name))

/** `ConditionalRequestConflict`: two writers of one new object met, and S3 decided for neither. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'ConditionalRequestConflict',
  'RequestTimeout',
  'RequestTimeoutException',
  'InternalError',
])

const THROTTLING: ReadonlySet<string> = new Set([
  'BandwidthLimitExceeded',
  'LimitExceededException',
  'PriorRequestNotComplete',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
])
