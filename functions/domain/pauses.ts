import { type Millis, millis } from './brands.ts'
import type { Unavailable } from './ports.ts'

/** What an operator last said of a destination. */
export interface DestinationPause {
  readonly destination: string
  readonly state: 'paused' | 'resumed'
  readonly reason: string
  readonly actor: string
  readonly at: Millis
  /** Of a pause that goes on with an earlier one, or of its end: when that began. @default at */
  readonly since?: Millis
  /** Of a pause: it ends by itself. Of a resume: when the pause before it was over. */
  readonly until: Millis
  /** It is over, and its messages are handed out again: nobody has to look after it any more. */
  readonly over?: true
  /** In the log alone: it never counted, because somebody had said something else since. */
  readonly overtaken?: true
}

/** Messages live for 12 days, and a pause must not use up what they have. */
export const LONGEST_PAUSE_MS = 7 * 86_400_000

export const isPaused = (pause: DestinationPause | undefined, now: Millis): pause is DestinationPause =>
  pause?.state === 'paused' && now < pause.until

export const begunAt = ({ since, at }: DestinationPause): Millis => since ?? at

/** What waited is given as long to be handled as it had to wait. A pause before that makes it wait on, within the same seven days. */
export const workedOffAt = (pause: DestinationPause): Millis => millis(pause.until + (pause.until - begunAt(pause)))

/** What operators said of destinations, and when. Its law: test/conformance/pause-store.ts. */
export interface PauseStore {
  /** From now on this counts. What was said before stays in the log. */
  note(pause: DestinationPause): Promise<{ readonly kind: 'noted' } | Unavailable>
  read(destination: string): Promise<DestinationPause | undefined>
  /** Newest first. */
  recent(from: Millis, until: Millis, limit: number): Promise<readonly DestinationPause[]>
}

/** What hands the messages of destinations to their functions. */
export interface Mappings {
  /** The destinations that can be paused. */
  readonly names: readonly string[]
  /** Whether something had to be changed for that. Throws if it could not be done, or nobody knows. */
  enable(destination: string, enabled: boolean): Promise<boolean>
}
