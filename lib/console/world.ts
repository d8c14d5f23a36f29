import type { PauseStore } from '../../functions/domain/pauses.ts'
import type { EventReads } from '../../functions/domain/ports.ts'
import type { NewComparison, ReconcilerStore } from '../../functions/domain/reconciler.ts'
import type { Refusal } from '../connect/refusal.ts'
import type { Operator } from '../operator/open-operator.ts'

/** What the console looks at: the local instance of this machine or a stack in AWS, through the operator's own eyes and rights. */
export interface ConsoleWorld {
  readonly operator: Operator
  /** For the live list and the search, which walk the listing step by step. */
  readonly events: Pick<EventReads, 'list' | 'read'>
  /** What operators said of destinations. */
  readonly pauses: Pick<PauseStore, 'read'>
  readonly comparisons: Pick<ReconcilerStore, 'last'> & {
    /** Sources whose senders have a list that can be compared. */
    readonly sources: readonly string[]
    /** Compares now, and takes nothing. */
    readonly compare: (source: string, stop: AbortSignal) => Promise<NewComparison | Refusal>
  }
  readonly place: Place
  /** Why a bulk replay that this console began broke off, by its job. */
  readonly brokenOff: Map<string, string>
}

export interface Place {
  /** `local`, or the name of the stack. */
  readonly name: string
  /** Where a source is posted to; `undefined` when it is not deployed. */
  readonly urlOf: (source: string) => string | undefined
  /** The worker and the others. */
  readonly destinations: readonly Pick<DestinationView, 'name' | 'kind'>[]
  /** A signed delivery to try, as a line for a shell. */
  readonly curl: (() => string | null) | null
}

/** One destination, as the console shows it. */
export interface DestinationView {
  readonly name: string
  /** worker, queue, bus or url; null if the deployment does not say. */
  readonly kind: string | null
  readonly pause: {
    readonly reason: string
    readonly actor: string
    readonly since: string
    readonly until: string
  } | null
}

/** A source whose sender has a list of what it sent, and what the last comparison with it found. */
export interface ComparisonView {
  readonly source: string
  /** Null: it was never compared. */
  readonly last: {
    readonly at: string
    readonly actor: string
    /** Why the list was not read to its end, or nothing was taken; null: all is well. */
    readonly why: string | null
    readonly listed: number
    readonly missing: number
    readonly taken: number
  } | null
}
