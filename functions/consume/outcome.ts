import type { Over } from '../contract/status.ts'
import type { Millis, Seconds } from '../domain/brands.ts'
import type { EndAnswer } from '../domain/work.ts'

/** Everything a message can come to. */
export type Work =
  | { readonly work: 'done' }
  /** The handler has no use for it. */
  | { readonly work: 'ignored'; readonly ignoredBecause: string }
  /** Done, failed, ignored or superseded before: nothing was left to do. */
  | { readonly work: 'skipped'; readonly why: Over | 'superseded' }
  /** Failed for good: its body is kept, its record says so. */
  | {
      readonly work: 'failed'
      readonly lastError: string
      readonly at?: string
      /** It was not one of our messages: what it says of its event is nobody's word. */
      readonly unread?: true
    }
  /** The handler was called so often in this generation, and may be called again. */
  | {
      readonly work: 'attempt-failed'
      readonly lastError: string
      readonly attempts: number
      readonly tries: number
      /** Where the handler threw: file, line and column. */
      readonly at?: string
      /** What the handler called asked for: not before so many seconds. */
      readonly retryAfter?: Seconds
    }
  | { readonly work: 'busy'; readonly leaseUntil: Millis }
  | { readonly work: 'malformed' | 'forged'; readonly why: string }
  | { readonly work: 'unavailable'; readonly cause: string }

/** A message is deleted only when its event is done, ignored, failed for good, or another message's business. */
const IS_OVER = {
  done: true,
  ignored: true,
  skipped: true,
  failed: true,
  'attempt-failed': false,
  busy: false,
  malformed: false,
  forged: false,
  unavailable: false,
} as const satisfies Record<Work['work'], boolean>

export const isOver = (ended: Work): boolean => IS_OVER[ended.work]

/** Its event has gone on, or was erased. */
export const SUPERSEDED: Work = { work: 'skipped', why: 'superseded' }

/** What became of a message that is not ours to work on. */
export const notOurs = (answer: Exclude<EndAnswer, { kind: 'moved' }>): Work => {
  switch (answer.kind) {
    case 'busy':
      return { work: 'busy', leaseUntil: answer.leaseUntil }
    case 'over':
      return { work: 'skipped', why: answer.status }
    case 'superseded':
      return SUPERSEDED
    case 'unavailable':
      return { work: 'unavailable', cause: answer.cause }
  }
}

export const failedOr = (answer: EndAnswer, lastError: string): Work =>
  answer.kind === 'moved' ? { work: 'failed', lastError } : notOurs(answer)
