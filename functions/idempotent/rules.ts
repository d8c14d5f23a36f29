import type { AnswerStore } from '../domain/answers.ts'
import type { Seconds } from '../domain/brands.ts'
import type { HttpAnswer } from '../domain/http.ts'
import type { BodyStore, Clock, FenceMaker } from '../domain/ports.ts'

/** Everything the middleware reaches for. */
export interface AnswerWorld {
  readonly store: AnswerStore
  /** For answers too large for a record. */
  readonly bodies: BodyStore | null
  readonly now: Clock
  readonly newFence: FenceMaker
  readonly note: (note: Note) => void
}

/** What its owner may want to count or log; none of it changes the answer. */
export type Note =
  /** The handler ran without protection, as `whenStoreFails: 'run'` asks. */
  | { readonly kind: 'unguarded'; readonly cause: string }
  /** The handler ran and was answered, and the answer could not be kept: a retry gets 410 or, where the table failed, runs after the lease. */
  | { readonly kind: 'not-kept'; readonly cause: string }
  /** The handler outlived its lease, and another request has taken its key over. */
  | { readonly kind: 'superseded' }

export interface Rules {
  readonly ttl: Seconds
  readonly required: boolean
  readonly payload: 'raw' | 'canonical'
  readonly stores: (answer: HttpAnswer) => boolean
  /** Lower-case. */
  readonly storedHeaders: readonly string[]
  readonly whenStoreFails: 'refuse' | 'run'
  readonly documentation: string
}
