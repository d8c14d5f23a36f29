import { iso } from '../domain/brands.ts'
import type { Job } from '../domain/job.ts'
import type { ReplayFilter } from './replay-filter.ts'

export type JobState = 'running' | 'finished' | 'cancelled'

export interface JobView {
  readonly id: string
  /** `running`: has not come to its end; whether a process is at it is not known. */
  readonly state: JobState
  readonly filter: { readonly [Name in keyof ReplayFilter]: string | null }
  readonly reason: string
  readonly actor: string
  readonly rate: number
  readonly startedAt: string
  readonly updatedAt: string
  readonly expected: number
  readonly replayed: number
  /** Refused, by the kind of the answer. */
  readonly refused: Readonly<Record<string, number>>
}

export const jobView = ({ source, status, type, from, until, cursor, startedAt, updatedAt, ...job }: Job): JobView => ({
  ...job,
  filter: { source, status, type, from: iso(from), until: iso(until) },
  startedAt: iso(startedAt),
  updatedAt: iso(updatedAt),
})
