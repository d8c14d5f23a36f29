import type { Fingerprint, Millis } from '../../functions/domain/brands.ts'
import type { Acts } from '../../functions/operate/acts.ts'
import type { CompareAnswer, CompareOrder } from '../../functions/operate/compare-sent.ts'
import type { EraseAnswer } from '../../functions/operate/erase.ts'
import type { JobView } from '../../functions/operate/job-view.ts'
import type { PauseAnswer, PauseOrder, ResumeOrder } from '../../functions/operate/pause.ts'
import type { AcceptAnswer, ReverifyAnswer } from '../../functions/operate/quarantine.ts'
import type { ReplayAnswer, ReplayRequest } from '../../functions/operate/replay.ts'
import type { ReplayFilter } from '../../functions/operate/replay-filter.ts'
import type { JobAnswer, ReplayManyOptions } from '../../functions/operate/replay-many.ts'
import type { EraseJobRequest, JobRequest } from '../../functions/operate/start-job.ts'
import type { AuditEntry, AuditQuery } from './audit-entry.ts'
import type { Comparison } from './compare.ts'
import type { DeadLetterPage } from './dead-letters.ts'
import type { DeliveryQuery, DeliveryView } from './deliveries.ts'
import type { Sought } from './find.ts'
import type { KeptDetail, KeptQuery, KeptView } from './kept-view.ts'
import type { EventPage, Query } from './list.ts'
import type { EraseFilter, ErasePlan } from './plan-erase.ts'
import type { ReplayPlan } from './plan-replay.ts'
import type { CaptureAnswer, CaptureRequest, CaptureState } from './set-capture.ts'
import type { EventDetail } from './show.ts'
import type { Stats, StatsQuery } from './stats.ts'

export interface EraseRequest {
  /** The fingerprint, its first twelve characters or more, or the sender's own id. */
  readonly id: string
  readonly source?: string | undefined
  readonly reason: string
}

/**
 * Everything an operator can ask and do; the CLI and the console call nothing else. Times that come in are epoch milliseconds,
 * times that go out are ISO 8601. What is expected is a value; a service that cannot be reached is thrown by the questions
 * and answered as `unavailable` by the acts. Who acts is part of the connection (`actor`), and no argument.
 */
export interface Operator {
  /** The clock of the place that is operated; frozen if the local instance has a frozen clock. */
  readonly now: () => Millis
  /** Who acts: the caller's ARN on AWS, the name of the user on a laptop. */
  readonly actor: string
  /** Names of the sources, in the order of sources.ts. */
  readonly sources: readonly string[]

  list(query: Omit<Query, 'now'>): Promise<EventPage>
  /** `undefined` when no event that is still remembered has this id. */
  show(sought: Omit<Sought, 'now'>): Promise<EventDetail | undefined>
  /** Every delivery and the answer it got, newest first, from the functions' own lines. */
  deliveries(query: DeliveryQuery): Promise<readonly DeliveryView[]>
  stats(query: StatsQuery): Promise<Stats>
  /** Acts of operators, newest first. */
  audits(query: AuditQuery): Promise<readonly AuditEntry[]>

  replay(request: ReplayRequest): Promise<ReplayAnswer>
  /** What a filter matches right now; changes nothing. */
  planReplay(filter: ReplayFilter): Promise<ReplayPlan>
  /** Writes the job down, so it can be resumed, and replays nothing yet. */
  startJob(request: JobRequest): Promise<JobView>
  /** Replays what is left of a job: to its end, until `stop` aborts, or until it is cancelled or a service does not answer. */
  replayMany(job: string, options?: ReplayManyOptions): Promise<JobAnswer>
  /** Takes body, headers and errors of an event away, for good. It stays remembered. */
  erase(request: EraseRequest): Promise<EraseAnswer>
  /** What would be erased right now; changes nothing. */
  planErase(filter: EraseFilter): Promise<ErasePlan>
  startEraseJob(request: EraseJobRequest): Promise<JobView>
  eraseMany(job: string, options?: ReplayManyOptions): Promise<JobAnswer>
  job(id: string): Promise<JobView | undefined>
  jobs(query: { readonly from: Millis; readonly limit: number }): Promise<readonly JobView[]>
  /** A running `replayMany` notices within a second; what is replayed stays replayed. */
  cancelJob(id: string): Promise<JobView | undefined>

  /** Events that failed for good, newest first, and how many dead letters still wait to be buried. */
  deadLetters(query: Omit<Query, 'now' | 'status'>): Promise<DeadLetterPage>
  /** Replay of an event that failed; anything else is refused as `not-failed`. */
  redrive(request: ReplayRequest): Promise<ReplayAnswer>

  /** Its events wait, at most for seven days; no try is used up. */
  pauseDestination(order: PauseOrder): Promise<PauseAnswer>
  resumeDestination(order: ResumeOrder): Promise<PauseAnswer>

  /** A page of the sender's own list, compared with our records; with a reason, what is missing is taken. */
  compareSent(order: CompareOrder): Promise<CompareAnswer>
  /** What a comparison found, for whoever looks later. */
  noteComparison: Acts['noteComparison']
  /** Whether there is a record of it. */
  isKnown(id: Fingerprint): Promise<boolean>

  readonly quarantine: {
    /** Rejected deliveries of a source that keeps them, newest first. */
    list(query: KeptQuery): Promise<readonly KeptView[]>
    show(source: string, key: string): Promise<KeptDetail | undefined>
    /** Would it be believed with today's secrets, at the instant it came? Changes nothing. */
    reverify(source: string, key: string): Promise<ReverifyAnswer>
    /** Verifies it again and, if it is believed, takes it as if it had come now: claimed, queued, answered. Twice is once. */
    accept(request: { readonly source: string; readonly key: string; readonly reason: string }): Promise<AcceptAnswer>
  }

  readonly capture: {
    /** Every source and its switch. */
    status(): Promise<readonly CaptureState[]>
    start(request: CaptureRequest): Promise<CaptureAnswer>
    stop(source: string): Promise<CaptureAnswer>
    /** Captured deliveries of a source, newest first. */
    list(query: KeptQuery): Promise<readonly KeptView[]>
    show(source: string, key: string): Promise<KeptDetail | undefined>
  }

  /** What changed between two captured deliveries of a source; `undefined` when one of them is not kept. */
  compare(source: string, first: string, second: string): Promise<Comparison | undefined>
}
