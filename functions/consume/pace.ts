import { type Millis, millis, type Seconds } from '../domain/brands.ts'

/** How fast a function works, and how long what failed waits: the stack says so in one variable. */
export interface Pace {
  /** Between the beginnings of two events, in milliseconds: this function's share of a rate. @default 0 */
  readonly every?: number
  /** The wait after a first failed try. @default 30 seconds */
  readonly first?: Seconds
  /** The longest wait after a failed try. @default 4 hours */
  readonly longest?: Seconds
}

export const readPace = (text: string | undefined): Pace => (text === undefined ? {} : JSON.parse(text))

/** The part of a rate that one running function keeps to. */
export interface Share {
  /** When the next event may begin, which it then does; `undefined` if that would be after `until`. */
  begin(now: Millis, until: Millis): Millis | undefined
  /** The same for one that does not begin now. */
  next(now: Millis): Millis
}

/**
 * Nobody counts for all functions. A new one waits before its first event: otherwise functions that come and go would exceed the
 * rate together.
 */
export const shareEvery = (every: number, start: Millis): Share => {
  let free = millis(start + every)
  const next = (now: Millis): Millis => millis(Math.max(free, now))
  return {
    next,
    begin(now, until) {
      const at = next(now)
      if (at > until) return undefined
      free = millis(at + every)
      return at
    },
  }
}
