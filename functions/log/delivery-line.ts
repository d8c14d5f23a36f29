import { type Metric, UNKNOWN_SOURCE } from '../contract/metrics.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Outcome } from '../domain/outcome.ts'
import { senderAttempt } from '../domain/sender-attempt.ts'
import { emfLine } from './emf-line.ts'

/** Refused for a reason that only its own function knows. */
interface Refused {
  readonly outcome: 'rejected'
  readonly reason: string
}

/** What one delivery came to, as the functions know it. */
export interface Account {
  readonly environment: string
  /** The user's own. @default - the API's own */
  readonly domain?: string | undefined
  readonly delivery: Delivery
  readonly outcome: Outcome | Refused
  readonly status: number
  readonly finishedAt: number
  /** Milliseconds spent in each port. */
  readonly waits: Readonly<Record<string, number>>
}

const SLOW_MS = 40

/** One line per delivery, which is also its metrics: each has an `outcome`. Never a body, a header or a secret. */
export const canonicalLine = (account: Account): string => {
  const { environment, delivery, outcome, status, finishedAt, waits } = account
  const latency = finishedAt - delivery.receivedAt
  return emfLine({
    at: finishedAt,
    environment,
    source: sourceOf(delivery, outcome),
    reason: 'reason' in outcome ? outcome.reason : undefined,
    counts: countsOf(account),
    values: outcome.outcome === 'batch' ? { ...sumsOf(outcome), Latency: latency } : { Latency: latency },
    // What is undefined is left out of the line. An object spread into it for each of them took longer than the JSON.
    fields: {
      outcome: outcome.outcome,
      status,
      id: 'id' in outcome ? outcome.id : undefined,
      eventId: 'id' in outcome ? outcome.eventId : undefined,
      ...('of' in outcome ? outcome.of : undefined),
      ids: 'ids' in outcome ? outcome.ids.slice(0, MOST_IDS) : undefined,
      cause: 'cause' in outcome ? outcome.cause : undefined,
      // What an operator looks for in the life of an event.
      reopened: (outcome.outcome === 'accepted' && outcome.reopened) || undefined,
      tookOver: (outcome.outcome === 'accepted' && outcome.tookOver) || undefined,
      bodyChanged: (outcome.outcome === 'duplicate' && outcome.bodyChanged) || undefined,
      attempt: senderAttempt(delivery.headers),
      correlationId: delivery.correlationId,
      // Where the time went is asked of what was slow or went wrong.
      waits: latency < SLOW_MS && status < 300 ? undefined : waits,
    },
  })
}

/**
 * To the address that AWS gave the API, though the user has a domain. What strangers send there is not counted: it would keep the
 * user from closing that address.
 */
const cameAround = ({ domain, delivery, outcome }: Account): boolean =>
  domain !== undefined &&
  outcome.outcome !== 'rejected' &&
  outcome.outcome !== 'unavailable' &&
  /^https:\/\/[^/]+\.execute-api\./.test(delivery.url)

/** The spelling of a source that does not exist is the caller's: it becomes no metric dimension. */
const sourceOf = (delivery: Delivery, outcome: Account['outcome']): string =>
  outcome.outcome === 'rejected' && UNNAMED.has(outcome.reason) ? UNKNOWN_SOURCE : delivery.source

/** A line stays a line. */
const MOST_IDS = 20

const UNNAMED: ReadonlySet<string> = new Set(['unknown-source', 'method', 'too-large', 'encoding', 'caller-unknown'])

const COUNTED_AS = {
  accepted: 'Accepted',
  duplicate: 'Duplicate',
  ignored: 'Ignored',
  'in-flight': 'InFlight',
  handshake: 'Handshake',
  drill: 'Drill',
  rejected: 'Rejected',
  unavailable: 'Unavailable',
} as const satisfies Record<Exclude<Outcome['outcome'], 'batch'>, Metric>

/** A delivery of many events is received once, and counts as what each of them came to. */
const sumsOf = (outcome: Extract<Outcome, { outcome: 'batch' }>): Partial<Record<Metric, number>> => {
  const { accepted, duplicate, ignored = 0, inFlight, unavailable, rejected = 0 } = outcome
  return {
    Accepted: accepted,
    Duplicate: duplicate,
    InFlight: inFlight,
    Unavailable: unavailable,
    ...(ignored > 0 && { Ignored: ignored }),
    ...(rejected > 0 && { Rejected: rejected }),
  }
}

const countsOf = (account: Account): readonly Metric[] => {
  const { outcome } = account
  const counts: Metric[] = 'previousSecret' in outcome ? ['PreviousSecret'] : []
  if (outcome.outcome !== 'batch') counts.push(COUNTED_AS[outcome.outcome])
  if (outcome.outcome === 'accepted' && outcome.settle === 'superseded') counts.push('Superseded')
  if ('bodyNotKept' in outcome && outcome.bodyNotKept) counts.push('BodyNotKept')
  if (outcome.outcome === 'duplicate' && outcome.bodyChanged) counts.push('BodyChanged')
  if (cameAround(account)) counts.push('ExecuteApi')
  return counts
}
