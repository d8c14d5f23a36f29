import type { Fingerprint } from '../domain/brands.ts'
import type { Unavailable } from '../domain/ports.ts'
import type { NewComparison } from '../domain/reconciler.ts'
import type { World } from '../domain/world.ts'
import { type CompareAnswer, type CompareOrder, type Comparing, compareSent } from './compare-sent.ts'
import { type EraseAnswer, type Erasing, erase } from './erase.ts'
import type { JobView } from './job-view.ts'
import {
  type PauseAnswer,
  type PauseOrder,
  type Pausing,
  pauseDestination,
  type ResumeOrder,
  resumeDestination,
} from './pause.ts'
import { type AcceptAnswer, acceptQuarantined, type ReverifyAnswer, type Reverifying, reverify } from './quarantine.ts'
import { type ReplayAnswer, type Replaying, replay } from './replay.ts'
import { type JobAnswer, type ReplayManyOptions, replayMany } from './replay-many.ts'
import { cancelJob, type EraseJobRequest, type JobDesk, type JobRequest, startEraseJob, startJob } from './start-job.ts'

export interface ReplayOrder {
  readonly id: Fingerprint
  /** The generation the operator was shown; with `to`, that of the copy. */
  readonly generation?: number | undefined
  readonly onlyFailed: boolean
  /** Of several destinations, this one alone. */
  readonly to?: string | undefined
  readonly reason: string
}

export interface EraseOrder {
  readonly id: Fingerprint
  readonly reason: string
}

export interface AcceptOrder {
  readonly source: string
  readonly key: string
  readonly reason: string
}

/** All that an operator may change, besides secrets. In the cloud the operate function does it, on a laptop the CLI and the console. */
export interface Acts {
  replay(order: ReplayOrder): Promise<ReplayAnswer>
  /** Writes the job down, so it can be resumed, and replays nothing yet. */
  startJob(request: JobRequest): Promise<JobView>
  /** Replays what is left of a job: to its end, until `stop` aborts, or until it is cancelled or a service does not answer. */
  replayMany(job: string, options?: ReplayManyOptions): Promise<JobAnswer>
  erase(order: EraseOrder): Promise<EraseAnswer>
  startEraseJob(request: EraseJobRequest): Promise<JobView>
  eraseMany(job: string, options?: ReplayManyOptions): Promise<JobAnswer>
  /** A running job notices within a second; what is replayed stays replayed. */
  cancelJob(job: string): Promise<JobView | undefined>
  /** Would it be believed with today's secrets, at the instant it came? Changes nothing, and reads keys that are for functions alone. */
  reverify(source: string, key: string): Promise<ReverifyAnswer>
  /** Verifies it again and, if it is believed, takes it as if it had come now: claimed, queued, answered. Twice is once. */
  accept(order: AcceptOrder): Promise<AcceptAnswer>
  /** A destination's messages wait; it ends by itself, after seven days at most. */
  pauseDestination(order: PauseOrder): Promise<PauseAnswer>
  resumeDestination(order: ResumeOrder): Promise<PauseAnswer>
  /** A page of the sender's own list. Without a reason nothing is taken. */
  compareSent(order: CompareOrder, stop?: AbortSignal): Promise<CompareAnswer>
  /** From now on this is the last comparison of its source. */
  noteComparison(comparison: NewComparison): Promise<{ readonly kind: 'noted' } | Unavailable>
}

/** Everything an act reaches for. */
export type Acting = Replaying &
  Reverifying &
  Erasing &
  Comparing &
  Pausing &
  World<'reconciler'> &
  Pick<JobDesk, 'jobs' | 'now' | 'newFence'>

/** In the name of an actor, which no request chooses. */
export const actsOf = (world: Acting, actor: string): Acts => {
  const desk = { ...world, actor }
  return {
    replay: order => replay(world, { ...order, actor, job: null }),
    startJob: request => startJob(desk, request),
    replayMany: (job, options) => replayMany(desk, job, options),
    erase: order => erase(world, { ...order, actor, job: null }),
    startEraseJob: request => startEraseJob(desk, request),
    eraseMany: (job, options) => replayMany(desk, job, { ...options, act: 'erase' }),
    cancelJob: job => cancelJob(world, job),
    reverify: (source, key) => reverify(world, source, key),
    accept: order => acceptQuarantined(world, { ...order, actor, job: null }),
    pauseDestination: order => pauseDestination(world, order, actor),
    resumeDestination: order => resumeDestination(world, order, actor),
    compareSent: (order, stop) => compareSent(world, order, actor, stop),
    noteComparison: comparison => world.reconciler.note({ ...comparison, actor, at: world.now() }),
  }
}
