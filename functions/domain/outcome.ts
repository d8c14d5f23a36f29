import type { Fingerprint, Seconds } from './brands.ts'
import type { MoveAnswer } from './ports.ts'
import type { HandshakeReply } from './provider.ts'
import type { Distrust } from './verdict.ts'

export type Rejection =
  | Distrust
  | 'method'
  | 'too-large'
  | 'encoding'
  | 'unknown-source'
  | 'body-empty'
  | 'body-not-json'
  | 'id-missing'
  | 'id-malformed'

/** What kept us from an answer. Never the sender's fault, so never a 4xx; never durable, so never a 2xx. */
export type Outage =
  | 'secret-missing'
  | 'secret-unusable'
  | 'secret-store'
  | 'key-source'
  | 'event-store'
  | 'body-store'
  | 'queue'
  | 'destination'
  | 'lease-passed'
  | 'deadline'
  | 'surprise'

/** Everything a delivery can come to. */
export type Outcome = Result & {
  /** Signed with a secret that a rotation has replaced: its sender has not changed over yet. */
  readonly previousSecret?: true
}

type Result =
  | {
      readonly outcome: 'accepted'
      readonly id: Fingerprint
      readonly eventId: string
      /** A new generation of an event that had failed for good. */
      readonly reopened: boolean
      /** The claim of an owner that died was taken over. */
      readonly tookOver: boolean
      /** The message is on the queue; `superseded`: another owner had moved the record on; `unavailable`: the record lags. */
      readonly settle: MoveAnswer['kind']
      /** The message is on the queue, but the body could not be kept for replay. */
      readonly bodyNotKept: boolean
      /** Until when it is remembered. */
      readonly expiresAt: Seconds
    }
  | {
      readonly outcome: 'duplicate'
      readonly id: Fingerprint
      readonly eventId: string
      readonly bodyChanged: boolean
      readonly expiresAt: Seconds
      /** Of an event that no route wanted. */
      readonly ignored?: true
    }
  | {
      /** New, and no route wants it. */
      readonly outcome: 'ignored'
      readonly id: Fingerprint
      readonly eventId: string
      readonly bodyNotKept: boolean
      readonly expiresAt: Seconds
    }
  | { readonly outcome: 'in-flight'; readonly id: Fingerprint; readonly eventId: string; readonly status: 409 | 503 }
  | {
      /** Many events in one delivery: how many came to what. */
      readonly outcome: 'batch'
      readonly accepted: number
      readonly duplicate: number
      /** Left out if there is none. */
      readonly ignored?: number
      readonly inFlight: number
      readonly unavailable: number
      /** Of those that are judged one by one; a delivery with an item that cannot be read is rejected as a whole. */
      readonly rejected?: number
      readonly ids: readonly Fingerprint[]
    }
  | { readonly outcome: 'handshake'; readonly reply: HandshakeReply }
  /** Genuine, and turned away on purpose: an operator wants to see how its sender retries. */
  | {
      readonly outcome: 'drill'
      readonly status: number
      /** Which event it would have been; null where it has no id, or many. */
      readonly of: { readonly id: Fingerprint; readonly eventId: string } | null
    }
  | { readonly outcome: 'rejected'; readonly reason: Rejection }
  | { readonly outcome: 'unavailable'; readonly reason: Outage; readonly cause: string }

export type Ending<Kind extends Outcome['outcome'] = Outcome['outcome']> = Extract<Outcome, { outcome: Kind }>

export const reject = (reason: Rejection): Ending<'rejected'> => ({ outcome: 'rejected', reason })

export const outage = (reason: Outage, cause: string): Ending<'unavailable'> => ({
  outcome: 'unavailable',
  reason,
  cause,
})

/** Evidence goes on to the next step, an outcome is the end. */
export const ended = <Evidence extends object>(step: Evidence | Outcome): step is Outcome => 'outcome' in step

/** Why a step has ended, in words for a log. */
export const whyEnded = (outcome: Outcome): string =>
  'cause' in outcome ? `${outcome.reason}: ${outcome.cause}` : outcome.outcome

/** Of many steps, those that go on and those that have ended. */
export const parted = <Evidence extends object>(
  steps: readonly (Evidence | Outcome)[],
): { readonly going: readonly Evidence[]; readonly over: readonly Outcome[] } => ({
  going: steps.filter(step => !ended(step)) as Evidence[],
  over: steps.filter(step => ended(step)) as Outcome[],
})
