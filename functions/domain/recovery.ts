import type { Millis } from './brands.ts'
import type { EventDays } from './event-days.ts'
import type { ListingCursor, MoveAnswer } from './ports.ts'
import type { EventRecord, Ownership } from './record.ts'

/** How far a pass over the listing has come. */
export type PassName = 'abandoned' | 'late' | 'lost'

export interface Walked {
  readonly position: ListingCursor
  /** Of the pass that keeps them for the listing. */
  readonly days?: EventDays | undefined
}

export interface Stretch {
  readonly records: readonly EventRecord[]
  /** Everything up to here has been returned. */
  readonly reached: ListingCursor
}

/** The events in the order they were claimed, as recovery walks them. Its law: test/conformance/recovery-store.ts. */
export interface RecoveryStore {
  /** The next records after a position and before an instant; none, and `reached` at the end, when there are no more. */
  scan(after: ListingCursor, until: Millis, limit: number): Promise<Stretch>
  cursor(pass: PassName): Promise<Walked | undefined>
  /** Only ever forward: of two that run at once, the one that came further stays. */
  moveCursor(pass: PassName, to: ListingCursor, days?: EventDays): Promise<void>
  /** Moves an abandoned claim to the end of the listing, with the reason: recovery looks again, or its sender's next try is faster. */
  park(seen: EventRecord, by: Ownership, lastError: string): Promise<MoveAnswer>
  /** The queues of destinations as they were last noted. */
  queues(): Promise<KnownQueues>
  noteQueues(queues: KnownQueues, at: Millis): Promise<void>
}

/** By destination, those that were removed too. */
export type KnownQueues = Readonly<Record<string, KnownQueue>>

export interface KnownQueue {
  readonly url: string
  /** Since when its destination is not in destinations.ts any more, as far as recovery has seen. */
  readonly removedAt?: Millis
}

/** The queues of destinations that were removed: no function reads them any more. */
export interface LeftQueues {
  /** Of the destinations that exist, by name. */
  readonly current: Readonly<Record<string, string>>
  /** Moves up to ten messages to the dead letters, and says how many; none if the queue seems empty. */
  bury(url: string): Promise<number>
}
