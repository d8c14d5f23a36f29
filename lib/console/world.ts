import type { EventReads } from '../../functions/domain/ports.ts'
import type { Operator } from '../operator/operator.ts'

/** What the console looks at: the local instance of this machine or a stack in AWS, through the operator's own eyes and rights. */
export interface ConsoleWorld {
  readonly operator: Operator
  /** For the live list and the search, which walk the listing step by step. */
  readonly events: Pick<EventReads, 'list' | 'read'>
  readonly place: Place
}

export interface Place {
  /** `local`, or the name of the stack. */
  readonly name: string
  /** Where a source is posted to; `undefined` when it is not deployed. */
  readonly urlOf: (source: string) => string | undefined
  /** A signed delivery to try, as a line for a shell. */
  readonly curl: (() => string | null) | null
}
