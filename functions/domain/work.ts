import type { Over } from '../contract/status.ts'
import type { Fence, Millis, Seconds, Sha256 } from './brands.ts'
import type { MoveAnswer, Unavailable } from './ports.ts'
import type { BodyPlace, EventRecord, Ownership } from './record.ts'
import type { Version } from './version.ts'

/** Why a message is not, or no longer, to be worked on. */
export type NotOurs =
  /** Another holds a lease until then: the message has to come back. */
  | { readonly kind: 'busy'; readonly leaseUntil: Millis }
  /** Done, failed for good or ignored in this generation: nothing is left to do. */
  | { readonly kind: 'over'; readonly status: Over }
  /** The event has moved on to a later generation. */
  | { readonly kind: 'superseded' }
  | Unavailable

export type TakeAnswer = { readonly kind: 'taken'; readonly record: EventRecord } | NotOurs

export type EndAnswer = { readonly kind: 'moved' } | NotOurs

export interface Failure {
  readonly lastError: string
  readonly bodySha256: Sha256
  readonly bodySize: number
  readonly bodyAt: BodyPlace | null
  /** At least as long as the body that was kept for redrive. */
  readonly expiresAt: Seconds
}

/** A DynamoDB write of the handler, as lib-dynamodb's TransactWriteCommand takes it. */
export type Write = Readonly<
  Partial<Record<'Put' | 'Update' | 'Delete' | 'ConditionCheck', Readonly<Record<string, unknown>>>>
>

export type CommitAnswer =
  | { readonly kind: 'committed' }
  /** A condition of the handler's own was not met: nothing was written. */
  | { readonly kind: 'refused'; readonly index: number; readonly code: string }
  | NotOurs

export interface Mark {
  readonly key: string
  readonly version: Version
  /** The event that brings it: repeating itself, it is not stale. */
  readonly by: string
  readonly expiresAt: Seconds
}

/** The events as consumers see them. Its law: test/conformance/work-store.ts. */
export interface WorkStore {
  /**
   * Makes `implied`, the record its message implies, `working` under its fence, and counts a try; recreates it where it is absent,
   * expired or behind, unless `signal` has said by then that nobody waits for it. Repeated under its fence, it is one try.
   */
  take(implied: EventRecord, now: Millis, signal?: AbortSignal): Promise<TakeAnswer>
  /** Taken, and the handler was not called: that was no try, and the lease is over. `taken` says when it was taken by `updatedAt`. */
  giveBack(taken: EventRecord, now: Millis): Promise<MoveAnswer>
  /** working -> done, by its owner. */
  finish(owned: EventRecord, now: Millis): Promise<EndAnswer>
  /** working -> ignored, by its owner. */
  ignore(owned: EventRecord, now: Millis, because: string): Promise<EndAnswer>
  /** An attempt failed: stays `working`. The lease ends now, unless the handler may still be running. */
  report(owned: EventRecord, now: Millis, lastError: string, leaseUntil: Millis): Promise<MoveAnswer>
  /** The handler's writes and `done` in one transaction: all of it or nothing. */
  commit(owned: EventRecord, writes: readonly Write[], token: Fence, now: Millis): Promise<CommitAnswer>
  /**
   * Remembers the newest version of a key; `stale` when a newer one, or this one from another event, was there first, which is then
   * remembered as long as this one would have been.
   */
  advance(mark: Mark, now: Millis): Promise<{ readonly kind: 'newest' | 'stale' } | Unavailable>
  /** The same as a write inside `commit`. */
  advanceWrite(mark: Mark, now: Millis): Write
}

/** For those who only say that an event has failed. */
export interface FailureStore {
  /**
   * -> failed, by its owner or, once no lease is live, by whoever found its dead letter. A failed event takes the body that was
   * kept last. Recreated like `take`.
   */
  fail(implied: EventRecord, by: Ownership, failure: Failure): Promise<EndAnswer>
}

/** DynamoDB takes 100 writes in a transaction, and one of them is `done`. */
export const MOST_WRITES = 99
