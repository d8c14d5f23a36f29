import type { Fence, Millis } from './brands.ts'
import type { MoveAnswer } from './ports.ts'
import type { EventRecord } from './record.ts'
import type { Act, Audit } from './replay.ts'

/** Personal data, taken away. Its law: test/conformance/erasure-store.ts. */
export interface ErasureStore {
  /**
   * An event that is over, and its copies, as they were seen: they lose their errors and can never be begun again, and who wanted that is
   * recorded. All or nothing. Repeated under its fence, it is done once. Somebody else who writes one of them is `contended`.
   */
  mark(
    seen: EventRecord,
    copies: readonly EventRecord[],
    by: { readonly fence: Fence; readonly now: Millis },
    act: Act,
  ): Promise<MoveAnswer | { readonly kind: 'contended' }>
  /**
   * Overwrites every body that was kept for an event or handed over by pointer, wherever it is; how many there were. What is left
   * of them ends with the record, and its event may come anew then. A fault is thrown.
   */
  forgetBodies(event: Pick<EventRecord, 'fingerprint' | 'expiresAt'>): Promise<number>
  /** How earlier generations ended. */
  forgetSaid(audits: readonly Audit[]): Promise<void>
}
