/** The conditions of the protocol, in named parts. Values are named after what they are compared with. */
export const ABSENT = 'attribute_not_exists(fingerprint)'
export const EXPIRED = 'expiresAt <= :nowSeconds'
export const ALIVE = 'expiresAt > :nowSeconds'
export const STILL_CLAIMED = '#status = :claimed'
export const QUEUED = '#status = :queued'
export const WORKING = '#status = :working'
export const DONE = '#status = :done'
export const FAILED = '#status = :failed'
export const OWN_FENCE = 'fence = :fence'
export const SEEN_FENCE = 'fence = :seenFence'
export const LEASE_PASSED = 'leaseUntil <= :now'
export const SEEN_GENERATION = 'generation = :generation'
export const EARLIER_GENERATION = 'generation < :generation'
export const NO_BODY = 'attribute_not_exists(bodyAt)'
export const SAME_EVENT = 'guards = :fingerprint'
export const RUNNING = '#status = :running'
export const FINISHED = '#status = :finished'
export const SAME_PAYLOAD = 'payload = :payload'

export const any = (...parts: readonly string[]): string => parts.map(part => `(${part})`).join(' OR ')
export const all = (...parts: readonly string[]): string => parts.map(part => `(${part})`).join(' AND ')

export const STATUS_NAME = { '#status': 'status' } as const

/** Only those a condition or an update speaks of: DynamoDB refuses values that are not used. */
export const statusValues = (...statuses: readonly string[]): Record<string, string> =>
  Object.fromEntries(statuses.map(status => [`:${status}`, status]))
