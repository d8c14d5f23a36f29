import { millis } from '../domain/brands.ts'
import type { JobStore } from '../domain/job.ts'
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

/** Written before the first replay: whatever ends this process, what was wanted, by whom and why is known and can be resumed. */
export const startJob = async (
  { jobs, actor, now, newFence }: JobDesk,
  { filter, reason, expected, rate = DEFAULT_RATE }: JobRequest,
): Promise<JobView> => {
  const startedAt = now()
  const job = {
    id: newFence().slice(0, 12),
    state: 'running',
    source: filter.source ?? null,
    status: filter.status ?? null,
    type: filter.type ?? null,
    from: filter.from,
    until: millis(Math.min(filter.until, startedAt)),
    reason,
    actor,
    rate,
    expected,
    startedAt,
    updatedAt: startedAt,
    cursor: null,
    replayed: 0,
    refused: {},
  } as const
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
