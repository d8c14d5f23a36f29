import type { Over } from '../contract/status.ts'
import type { Millis } from './brands.ts'
import type { ListingCursor, Unavailable } from './ports.ts'

/** A replay of many events, or their erasure: what was asked, and how far it has come. */
export interface Job {
  readonly id: string
  /** @default 'replay' */
  readonly act?: 'erase'
  readonly state: 'running' | 'finished' | 'cancelled'
  readonly source: string | null
  readonly status: Over | null
  readonly type: string | null
  readonly from: Millis
  /** Never later than the start of the job, so what it replays moves out of its own way. */
  readonly until: Millis
  readonly reason: string
  readonly actor: string
  /** Replays a second. */
  readonly rate: number
  /** How many there were when it was planned. */
  readonly expected: number
  readonly startedAt: Millis
  readonly updatedAt: Millis
  /** Everything newer has had its turn. */
  readonly cursor: ListingCursor | null
  /** Done: replayed or erased. */
  readonly replayed: number
  /** Of an erasure: first seen before. */
  readonly before?: Millis
  /** Of an erasure: quarantined and captured deliveries. */
  readonly deliveries?: number
  /** By the kind of the answer. */
  readonly refused: Readonly<Record<string, number>>
}

/** Bulk replays. Its law: test/conformance/replay-store.ts. */
export interface JobStore {
  create(job: Job): Promise<void>
  /** Progress of a job that is still running; `ended` when somebody has cancelled or finished it: nothing was changed. */
  save(job: Job): Promise<{ readonly kind: 'saved' | 'ended' } | Unavailable>
  read(id: string): Promise<Job | undefined>
  /** Newest first. */
  recent(from: Millis, until: Millis, limit: number): Promise<readonly Job[]>
}
