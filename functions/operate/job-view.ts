import { iso } from '../domain/brands.ts'
import type { Job } from '../domain/job.ts'
import type { ReplayFilter } from './replay-filter.ts'

export type JobState = 'running' | 'finished' | 'cancelled'

export interface JobView {
  readonly id: string
  /** `running`: has not come to its end; whether a process is at it is not known. */
  readonly state: JobState
  readonly act: 'replay' | 'erase'
  readonly filter: { readonly [Name in keyof ReplayFilter]: string | null }
  readonly reason: string
  readonly actor: string
  readonly rate: number
  readonly startedAt: string
  readonly updatedAt: string
  readonly expected: number
  /** Replayed, or erased. */
  readonly replayed: number
  /** Of an erasure: events that were first seen before. */
  readonly before?: string
  /** Of an erasure: quarantined and captured deliveries. */
  readonly deliveries?: number
  /** Refused, by the kind of the answer. */
  readonly refused: Readonly<Record<string, number>>
}

export const jobView = ({
  act,
  source,
  status,
  type,
  from,
  until,
  cursor,
  startedAt,
  updatedAt,
  before,
  ...job
}: Job): JobView => ({
  ...job,
  act: act ?? 'replay',
  ...(before !== undefined && { before: iso(before) }),
  filter: { source, status, type, from: iso(from), until: iso(until) },
  startedAt: iso(startedAt),
  updatedAt: iso(updatedAt),
})
