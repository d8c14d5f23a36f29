import { BURY_TIMEOUT_SECONDS, WORKER_TIMEOUT_SECONDS } from './limits.ts'

const DAY_SECONDS = 86_400

/** AWS asks for six times the timeout of the function behind a queue: a throttled call is repeated while its message is hidden. */
export const visibilitySeconds = (timeoutSeconds: number): number => 6 * timeoutSeconds

/** As long as SQS keeps a message, and as often as it hands one out: an outage uses up neither. */
export const QUEUE = {
  retentionSeconds: 14 * DAY_SECONDS,
  visibilitySeconds: visibilitySeconds(WORKER_TIMEOUT_SECONDS),
  maxReceiveCount: 1_000,
} as const

/** Calls of the handler with one event before it fails, unless the user says otherwise. In a FIFO queue its group waits for it. */
export const TRIES = { standard: 16, ordered: 8 } as const

/** Older ones fail, with their bodies kept: the dead letters of a standard queue keep their age, and would be gone after 14 days. */
export const OLDEST_MESSAGE_SECONDS = 12 * DAY_SECONDS

/** A message that cannot be read might be read by the next release: so often it comes back. */
export const MALFORMED_RECEIVES = 5

/** The age of a dead letter counts from its first enqueue in a standard queue, and from its death in a FIFO queue. */
export const DEAD_LETTERS = {
  retentionSeconds: 14 * DAY_SECONDS,
  visibilitySeconds: visibilitySeconds(BURY_TIMEOUT_SECONDS),
} as const

/** A dead letter's body is kept this long, whatever its source retains: time to fix the handler and redrive. */
export const BURIED_BODY_SECONDS = DEAD_LETTERS.retentionSeconds

/** A body outlives its claim this long at least, whatever its source retains: an outage of a day, and time for recovery after it. */
export const IN_TRANSIT_BODY_SECONDS = 3 * DAY_SECONDS

/** The longest a message can sit somewhere and still come back. */
export const MESSAGE_LIFE_SECONDS = QUEUE.retentionSeconds + DEAD_LETTERS.retentionSeconds

/** SQS takes 1 MiB, attributes included; what is over this travels by pointer. */
export const INLINE_MESSAGE_BYTES = 1_000_000

/** What the queue of events with several destinations is called among those of destinations. None of them can have this name. */
export const SEVERAL = '*'

/** What it is called in lines, alarms and metrics. No destination has a capital letter. */
export const SEVERAL_NAME = 'Several'
