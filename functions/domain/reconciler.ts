import type { Millis } from './brands.ts'
import type { Unavailable } from './ports.ts'
import type { Ownership } from './record.ts'

/** A webhook that is on its way is not missing yet. */
export const ON_ITS_WAY_MS = 300_000

/** What a sender's own list has, beside what we have. */
export interface ListCounts {
  readonly listed: number
  readonly known: number
  readonly missing: number
  readonly taken: number
  readonly redelivered: number
  readonly unknown: number
}

/** The last time that a source was compared with its sender's list. */
export interface ListComparison extends ListCounts {
  readonly source: string
  /** When it ended. */
  readonly at: Millis
  /** The stretch of the list. */
  readonly since: Millis
  readonly until: Millis
  /** Who had it compared: a person, or the schedule. */
  readonly actor: string
  /** Why the list was not read to its end, or nothing was taken; null: all is well. */
  readonly why: string | null
}

/** What whoever compared says of it: who that was, and when, is for others to say. */
export type NewComparison = Omit<ListComparison, 'at' | 'actor'>

/** A comparison that is under way: where the next run goes on. */
export interface ReconcilePass {
  readonly since: Millis
  readonly until: Millis
  readonly phase: 'comparing' | 'taking'
  /** The sender's cursor; null: from the beginning. */
  readonly after: string | null
  /** Where the first page with something missing begins; absent: nothing is missing yet. */
  readonly from?: string | null
  readonly counts: ListCounts
}

/** What the scheduled reconciler remembers of a source. */
export interface ReconciledSource {
  readonly startedAt: Millis
  /** Up to here everything was compared, and what was missing was taken; null: never. */
  readonly comparedUntil: Millis | null
  readonly pass: ReconcilePass | null
}

/** What is left of a sender's patience, for all of its sources. */
export interface SenderBudget {
  /** When the hour began that the calls are counted in. */
  readonly hour: Millis
  readonly calls: number
  /** It asked us to wait until then. */
  readonly notBefore: Millis
}

/** All that one run of the scheduled reconciler hands on to the next. */
export interface ReconcilerState {
  readonly sources: Readonly<Record<string, ReconciledSource>>
  readonly senders: Readonly<Record<string, SenderBudget>>
}

/** Comparisons, and the one run that may make them by itself. Its law: test/conformance/reconciler-store.ts. */
export interface ReconcilerStore {
  /** From now on this is the last comparison of its source. */
  note(comparison: ListComparison): Promise<{ readonly kind: 'noted' } | Unavailable>
  last(source: string): Promise<ListComparison | undefined>
  /** What the last run left; undefined if another one is running. */
  begin(lease: Ownership): Promise<ReconcilerState | undefined>
  /** False: another run has begun meanwhile, and nothing was written. */
  save(lease: Ownership, state: ReconcilerState): Promise<boolean>
}
