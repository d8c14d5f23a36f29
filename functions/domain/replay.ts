import type { Over } from '../contract/status.ts'
import type { Fence, Fingerprint, Millis } from './brands.ts'
import type { Settlement, Unavailable } from './ports.ts'
import type { EventRecord, Ownership } from './record.ts'

/** What an operator did: written with the act or before it, never after. */
export interface Audit {
  readonly fingerprint: Fingerprint
  /** The generation that began with it, or that was erased. */
  readonly generation: number
  readonly act: 'replay' | 'accept' | 'reconcile' | 'erase'
  /** What the event was before; null where there was none. */
  readonly was: Over | 'claimed' | null
  readonly actor: string
  readonly reason: string
  readonly at: Millis
  /** The job it was part of. */
  readonly job: string | null
  readonly fence: Fence
  /** How the generation before it ended, which the record forgets; null where there was none, and in audits of version 0.1. */
  readonly before: Before | null
}

export interface Before extends Pick<EventRecord, 'claimedAt' | 'updatedAt'> {
  /** The last error, or why it was ignored. */
  readonly says: string | null
  /** Of an event with several destinations: which had a copy. */
  readonly to?: readonly string[]
}

/** An audit is found by the generation that began with it; an event is erased once. */
export type AuditName = number | 'erased'

/** Who, why and as part of what: the operator's share of an audit. */
export type Act = Pick<Audit, 'actor' | 'reason' | 'job'>

export type BeginAnswer =
  | { readonly kind: 'begun'; readonly record: EventRecord }
  /** The event is no longer what was seen: nothing was changed. */
  | { readonly kind: 'superseded' }
  /** Somebody else writes the same event at this very moment: nothing was changed. */
  | { readonly kind: 'contended' }
  | Unavailable

/** Replays and their audit. Its law: test/conformance/replay-store.ts. */
export interface ReplayStore {
  /**
   * An event that is over, or an abandoned claim, as it was seen, becomes `claimed` in its next generation, and who wanted that is recorded: both
   * or neither. It goes where today's routes lead. From here on recovery finishes it, whatever becomes of the caller. Repeated under its fence, it is begun once.
   */
  begin(seen: EventRecord, by: Ownership, act: Act, body: Settlement, to?: readonly string[]): Promise<BeginAnswer>
  /** Records an act before it is done. One that stands for the same generation of the same life of the event stays. */
  note(audit: Audit, since: Millis): Promise<{ readonly kind: 'noted' } | Unavailable>
  /** Who began these generations of an event; those its sender began are left out. Strongly consistent. */
  audits(fingerprint: Fingerprint, names: readonly AuditName[]): Promise<readonly Audit[]>
  /** What all operators did, newest first. */
  recent(from: Millis, until: Millis, limit: number): Promise<readonly Audit[]>
}
