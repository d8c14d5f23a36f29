import type { Fingerprint } from '../domain/brands.ts'
import type { Caller } from '../domain/caller.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Ending, Outcome } from '../domain/outcome.ts'

/** One request of a producer, whichever front door it came through. */
export interface Publication {
  readonly delivery: Delivery
  /** Null where no IAM authorizer has spoken. */
  readonly caller: Caller | null
  readonly form: 'single' | 'batch'
}

export type PublishRefusal =
  | 'caller-unknown'
  | 'caller-refused'
  | 'method'
  | 'too-large'
  | 'encoding'
  | 'unknown-source'
  | 'key-missing'
  | 'key-malformed'
  | 'key-reused'
  | 'body-not-json'
  | 'schema'
  | 'batch-malformed'

export interface Refused {
  readonly outcome: 'rejected'
  readonly reason: PublishRefusal
  /** Names what was wrong and what was expected, and quotes nothing of the body. */
  readonly detail?: string
  readonly issues?: readonly Issue[]
}

export interface Issue {
  /** A JSON pointer into the event. */
  readonly at: string
  readonly message: string
}

export const refuse = (reason: PublishRefusal, more: Omit<Refused, 'outcome' | 'reason'> = {}): Refused => ({
  outcome: 'rejected',
  reason,
  ...more,
})

/** What one event can come to. */
export type Published =
  | Ending<'accepted'>
  | Ending<'duplicate'>
  | Ending<'ignored'>
  | Ending<'in-flight'>
  | Ending<'unavailable'>
  | Refused

/** A webhook's sender may render an event anew; a producer that says something else under a key it has used has made a mistake. */
export const judged = (outcome: Outcome): Published => {
  switch (outcome.outcome) {
    case 'accepted':
    case 'ignored':
    case 'in-flight':
    case 'unavailable':
      return outcome
    case 'duplicate':
      return outcome.bodyChanged ? refuse('key-reused') : outcome
    case 'batch':
    case 'drill':
    case 'handshake':
    case 'rejected':
      throw new TypeError(`a claim does not end as "${outcome.outcome}"`)
  }
}

/** Each event of a batch on its own, in their order. */
export interface PublishedBatch {
  readonly outcome: 'batch'
  readonly results: readonly { readonly key: string | null; readonly published: Published }[]
  readonly accepted: number
  readonly duplicate: number
  readonly ignored: number
  readonly inFlight: number
  readonly unavailable: number
  readonly rejected: number
  readonly ids: readonly Fingerprint[]
}

export type PublishOutcome = Published | PublishedBatch
