import { BURY_TIMEOUT_SECONDS, WORKER_TIMEOUT_SECONDS } from './limits.ts'

const DAY_SECONDS = 86_400

/** AWS asks for six times the timeout of the function behind a queue: a throttled call is repeated while its message is hidden. */
export const visibilitySeconds = (timeoutSeconds: number): number => 6 * timeoutSeconds

export const QUEUE = {
  retentionSeconds: 4 * DAY_SECONDS,
  visibilitySeconds: visibilitySeconds(WORKER_TIMEOUT_SECONDS),
  maxReceiveCount: 5,
} as const

/** The age of a dead letter counts from its first enqueue, so this must exceed the queue's own retention. */
export const DEAD_LETTERS = {
  retentionSeconds: 14 * DAY_SECONDS,
  visibilitySeconds: visibilitySeconds(BURY_TIMEOUT_SECONDS),
} as const

/** A dead letter's body is kept this long, whatever its source retains: time to fix the handler and redrive. */
export const BURIED_BODY_SECONDS = DEAD_LETTERS.retentionSeconds

/** The longest a message can sit somewhere and still come back. */
export const MESSAGE_LIFE_SECONDS = QUEUE.retentionSeconds + DEAD_LETTERS.retentionSeconds

/** SQS takes 1 MiB, attributes included; what is over this travels by pointer. */
export const INLINE_MESSAGE_BYTES = 1_000_000
