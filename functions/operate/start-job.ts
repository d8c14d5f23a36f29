import { type Millis, millis } from '../domain/brands.ts'
import type { Job, JobStore } from '../domain/job.ts'
import type { Clock, FenceMaker } from '../domain/ports.ts'
import type { JobView } from './job-view.ts'
import { jobView } from './job-view.ts'
import type { ReplayFilter } from './replay-filter.ts'

export interface JobRequest {
  readonly filter: ReplayFilter
  readonly reason: string
  /** How many there were in the plan. */
  readonly expected: number
  /** Replays a second. @default 10 */
  readonly rate?: number | undefined
}

export const DEFAULT_RATE = 10
export const MOST_RATE = 100

export interface JobDesk {
  readonly jobs: JobStore
  readonly actor: string
  readonly now: Clock
  readonly newFence: FenceMaker
}

export interface EraseJobRequest {
  readonly source: string
  /** First seen before. */
  readonly before: Millis
  readonly reason: string
  readonly expected: number
  /** Erasures a second. @default 10 */
  readonly rate?: number | undefined
}

/** No record lives longer. */
export const LONGEST_MEMORY_MS = 400 * 86_400_000

/** Every event of the source that is remembered has to be looked at: one that was replayed stands in the listing where it was begun last. */
export const startEraseJob = async (
  desk: JobDesk,
  { source, before, reason, expected, rate = DEFAULT_RATE }: EraseJobRequest,
): Promise<JobView> => {
  const startedAt = desk.now()
  const stretch = { from: millis(startedAt - LONGEST_MEMORY_MS), until: startedAt }
  const which = { act: 'erase', source, status: null, type: null, ...stretch, before } as const
  return create(desk, startedAt, { ...which, reason, expected, rate, deliveries: 0 })
}

/** Written before the first replay: whatever ends this process, what was wanted, by whom and why is known and can be resumed. */
export const startJob = async (
  desk: JobDesk,
  { filter, reason, expected, rate = DEFAULT_RATE }: JobRequest,
): Promise<JobView> => {
  const startedAt = desk.now()
  const { source = null, status = null, type = null, from } = filter
  const until = millis(Math.min(filter.until, startedAt))
  return create(desk, startedAt, { source, status, type, from, until, reason, expected, rate })
}

type Asked = Omit<Job, 'id' | 'state' | 'actor' | 'startedAt' | 'updatedAt' | 'cursor' | 'replayed' | 'refused'>

const create = async ({ jobs, actor, newFence }: JobDesk, startedAt: Millis, asked: Asked): Promise<JobView> => {
  const begun = { state: 'running', startedAt, updatedAt: startedAt, cursor: null, replayed: 0, refused: {} } as const
  const job = { ...begun, ...asked, id: newFence().slice(0, 12), actor }
  await jobs.create(job)
  return jobView(job)
}

/** `undefined` when there is no such job; one that has ended stays as it ended. */
export const cancelJob = async (
  { jobs, now }: Pick<JobDesk, 'jobs' | 'now'>,
  id: string,
): Promise<JobView | undefined> => {
  const job = await jobs.read(id)
  if (!job) return undefined
  const cancelled = { ...job, state: 'cancelled', updatedAt: now() } as const
  const answer = await jobs.save(cancelled)
  if (answer.kind === 'unavailable') throw new Error(answer.cause)
  return jobView(answer.kind === 'saved' ? cancelled : ((await jobs.read(id)) ?? job))
}
