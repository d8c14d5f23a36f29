import type { Millis, Seconds } from './brands.ts'
import type { Delivery } from './delivery.ts'
import type { Outcome } from './outcome.ts'
import type { Unavailable } from './ports.ts'
import { senderAttempt } from './sender-attempt.ts'

/** `quarantine`: rejected ones of a source that keeps them. `capture`: all of them, while an operator has it switched on. */
export type KeptFor = 'quarantine' | 'capture'

/**
 * A delivery as it came, and the answer it got. Its headers hold signatures: it lies with the bodies, under their permission. A
 * secret that its sender sends along is not in it, but its HMAC (functions/receive/conceal.ts).
 */
export interface KeptDelivery {
  readonly source: string
  /** Names it within its source and what it is kept for, and sorts by time. */
  readonly key: string
  readonly at: Millis
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly body: Uint8Array
  readonly correlationId: string
  readonly status: number
  readonly outcome: Outcome['outcome']
  readonly reason: string | null
  readonly id: string | null
  readonly eventId: string | null
  readonly attempt: number | null
  readonly expiresAt: Seconds
}

export const keptDelivery = (
  delivery: Delivery,
  outcome: Outcome,
  status: number,
  expiresAt: Seconds,
): KeptDelivery => ({
  source: delivery.source,
  key: `${new Date(delivery.receivedAt).toISOString()}#${delivery.correlationId}`,
  at: delivery.receivedAt,
  method: delivery.method,
  url: delivery.url,
  headers: Object.fromEntries(delivery.headers),
  body: delivery.body,
  correlationId: delivery.correlationId,
  status,
  outcome: outcome.outcome,
  reason: 'reason' in outcome ? outcome.reason : null,
  id: null,
  eventId: null,
  ...eventOf(outcome),
  attempt: senderAttempt(delivery.headers) ?? null,
  expiresAt,
})

const eventOf = (outcome: Outcome): { readonly id: string; readonly eventId: string } | null => {
  if (outcome.outcome === 'drill') return outcome.of
  return 'eventId' in outcome ? { id: outcome.id, eventId: outcome.eventId } : null
}

/** Deliveries that are kept to be looked at. Its law: test/conformance/kept-deliveries.ts. */
export interface KeptDeliveries {
  keep(keptFor: KeptFor, delivery: KeptDelivery): Promise<{ readonly kind: 'kept' } | Unavailable>
  /** Newest first; expired ones are left out. */
  list(keptFor: KeptFor, source: string, from: Millis, now: Millis, limit: number): Promise<readonly KeptDelivery[]>
  /** The same without a limit, one after the other: together they may be larger than any memory. */
  each(keptFor: KeptFor, source: string, from: Millis, now: Millis): AsyncIterable<KeptDelivery>
  fetch(keptFor: KeptFor, source: string, key: string, now: Millis): Promise<KeptDelivery | undefined>
}
