import type { Fence, Fingerprint, Millis, Seconds, Sha256 } from './brands.ts'
import type { MoveAnswer, Unavailable } from './ports.ts'
import type { BodyPlace } from './record.ts'

/** One try to own a key: caller, operation and key are in the fingerprint, what was asked in the payload. */
export interface AnswerClaim {
  readonly fingerprint: Fingerprint
  readonly payload: Sha256
  readonly fence: Fence
  readonly now: Millis
  readonly leaseUntil: Millis
  readonly expiresAt: Seconds
}

/** What was answered, or where the body of it is kept. `'gone'`: it could not be kept. */
export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly base64: boolean
  readonly body: { readonly text: string } | { readonly at: BodyPlace; readonly sha256: Sha256 } | 'gone'
}

export type AnswerClaimed =
  /** `tookOver`: an owner before us died or failed with this payload, and may have acted; or that is not known, since an answer was lost. */
  | { readonly kind: 'won'; readonly tookOver: boolean }
  | { readonly kind: 'running'; readonly leaseUntil: Millis }
  | { readonly kind: 'finished'; readonly answer: KeptAnswer; readonly expiresAt: Seconds }
  /** The key was used for something else, in whatever state that is. */
  | { readonly kind: 'mismatch' }
  | Unavailable

/** Who answers a key, and what was answered. Its law: test/conformance/answer-store.ts. */
export interface AnswerStore {
  /**
   * Wins when the key is absent, expired, still running under this very fence (a retried write whose answer was lost), or
   * abandoned with the same payload. Losing changes nothing.
   */
  claim(claim: AnswerClaim): Promise<AnswerClaimed>
  /** running -> finished, by its owner. Until then the answer is replayed. */
  complete(owned: AnswerClaim, answer: KeptAnswer, expiresAt: Seconds): Promise<MoveAnswer>
  /** Ends the lease at once: the next request with the same payload runs. */
  release(owned: AnswerClaim, now: Millis): Promise<MoveAnswer>
}
