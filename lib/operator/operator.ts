import type { Status } from '../../functions/contract/status.ts'
import type { Millis } from '../../functions/domain/brands.ts'
import type { Sought } from './find.ts'
import type { EventPage, Query } from './list.ts'
import type { EventDetail } from './show.ts'

/**
 * Everything an operator can ask and do; the CLI and the console call nothing else. Times that come in are epoch milliseconds,
 * times that go out are ISO 8601. What is expected is a value; a service that cannot be reached is thrown by the questions
 * and answered as `unavailable` by the acts. Who acts is part of the connection (`actor`), and no argument.
 */
export interface Operator {
  /** The clock of the place that is operated; frozen where the local instance's is. */
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
  /** Writes the job down, so that it can be resumed, and replays nothing yet. */
  startJob(request: JobRequest): Promise<JobView>
  /** Replays what is left of a job: to its end, until `stop` aborts, or until it is cancelled or a service does not answer. */
  replayMany(job: string, options?: ReplayManyOptions): Promise<JobAnswer>
  job(id: string): Promise<JobView | undefined>
  jobs(query: { readonly from: Millis; readonly limit: number }): Promise<readonly JobView[]>
  /** A running `replayMany` notices within a second; what is replayed stays replayed. */
  cancelJob(id: string): Promise<JobView | undefined>

  /** Events that failed for good, newest first, and how many dead letters still wait to be buried. */
  deadLetters(query: Omit<Query, 'now' | 'status'>): Promise<DeadLetterPage>
  /** Replay of an event that failed; anything else is refused as `not-failed`. */
  redrive(request: ReplayRequest): Promise<ReplayAnswer>

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

export interface DeliveryQuery {
  readonly source?: string | undefined
  /** The sender's own id. */
  readonly eventId?: string | undefined
  /** The fingerprint, or at least its first twelve characters. */
  readonly id?: string | undefined
  readonly from: Millis
  /** @default now */
  readonly until?: Millis | undefined
  readonly limit: number
}

export interface DeliveryView {
  readonly time: string
  readonly source: string
  /** accepted, duplicate, in-flight, rejected, unavailable, handshake, batch, drill */
  readonly outcome: string
  /** Why it was rejected or could not be taken. */
  readonly reason: string | null
  readonly status: number
  readonly durationMs: number
  /** As the sender counts, where it says so. */
  readonly attempt: number | null
  /** A duplicate whose body was not that of the event. */
  readonly bodyChanged: boolean
  readonly id: string | null
  readonly eventId: string | null
  readonly correlationId: string
}

export interface StatsQuery {
  readonly from: Millis
  readonly until: Millis
  readonly source?: string | undefined
  readonly bucketMs: number
}

export interface Stats {
  readonly from: string
  readonly until: string
  readonly bucketMs: number
  /** Busiest first. */
  readonly sources: readonly SourceStats[]
  /** True when there were more lines than were read: the figures are of the oldest part. */
  readonly truncated: boolean
}

export interface SourceStats extends Tally {
  readonly source: string
  /** Of 0 to 1: duplicates among all that were accepted or duplicates. */
  readonly duplicateRate: number
  /** Milliseconds from the delivery to its answer; null where there was none. */
  readonly latency: { readonly p50: number; readonly p95: number; readonly p99: number } | null
  readonly buckets: readonly (Tally & { readonly time: string; readonly latencyP95: number | null })[]
}

export interface Tally {
  readonly received: number
  readonly accepted: number
  readonly duplicate: number
  readonly inFlight: number
  readonly rejected: number
  readonly rejectedBy: Readonly<Record<string, number>>
  readonly unavailable: number
  readonly done: number
  readonly failed: number
}

export interface AuditQuery {
  readonly from: Millis
  readonly until?: Millis | undefined
  readonly limit: number
}

export interface AuditEntry {
  readonly time: string
  readonly act: 'replay' | 'accept'
  readonly id: string
  /** The generation that began with it. */
  readonly generation: number
  /** What the event was before; null for a delivery accepted from quarantine. */
  readonly was: 'done' | 'failed' | null
  readonly actor: string
  readonly reason: string
  readonly job: string | null
}

/** A step in the life of an event. */
export interface TimelineEntry {
  readonly time: string
  readonly what:
    | 'received'
    | 'claimed'
    | 'duplicate'
    | 'in-flight'
    | 'unavailable'
    | 'queued'
    | 'working'
    | 'attempt-failed'
    | 'done'
    | 'failed'
    | 'skipped'
    | 'reopened'
    | 'replayed'
  readonly generation: number | null
  /** For people: the answer, the error, who and why. */
  readonly detail: string
}

export interface ReplayRequest {
  /** The fingerprint, its first twelve characters or more, or the sender's own id (of the last 30 days). */
  readonly id: string
  readonly source?: string | undefined
  readonly reason: string
  /** The generation the operator was shown: when it has moved on, nothing is replayed. Makes a double click one replay. */
  readonly generation?: number | undefined
}

export type ReplayAnswer =
  /** `queued: false`: recorded, and the queue did not answer; recovery forwards it within minutes. */
  | { readonly kind: 'replayed'; readonly id: string; readonly generation: number; readonly queued: boolean }
  /** No such event, or no longer remembered. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'in-flight'; readonly id: string; readonly status: Status }
  /** Its body was never kept, or is kept no longer: its sender has to send it again. */
  | { readonly kind: 'no-body'; readonly id: string }
  /** Its source is not in sources.ts. */
  | { readonly kind: 'no-source'; readonly id: string; readonly source: string }
  /** By somebody else a moment ago; `by` is null when its sender was faster. */
  | {
      readonly kind: 'already-replayed'
      readonly id: string
      readonly generation: number
      readonly by: string | null
      readonly at: string | null
    }
  /** Only of `redrive`. */
  | { readonly kind: 'not-failed'; readonly id: string; readonly status: Status }
  /** Nothing was recorded, as far as can be known. */
  | { readonly kind: 'unavailable'; readonly cause: string }

export interface ReplayFilter {
  readonly source?: string | undefined
  /** @default both */
  readonly status?: 'done' | 'failed' | undefined
  readonly type?: string | undefined
  /** Claimed at or after. */
  readonly from: Millis
  /** Claimed before. */
  readonly until: Millis
}

export interface ReplayPlan {
  /** Done or failed: these would be replayed. */
  readonly count: number
  readonly done: number
  readonly failed: number
  /** Match besides, and are in flight: these would be left alone. */
  readonly inFlight: number
  /** Without a kept body: counted in `count`, and refused when their turn comes. */
  readonly withoutBody: number
  readonly oldest: string | null
  readonly newest: string | null
}

export interface JobRequest {
  readonly filter: ReplayFilter
  readonly reason: string
  /** How many there were in the plan. */
  readonly expected: number
  /** Replays a second. @default 10 */
  readonly rate?: number | undefined
}

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

export interface ReplayManyOptions {
  readonly onProgress?: (job: JobView) => void
  readonly stop?: AbortSignal
}

export type JobAnswer =
  | { readonly kind: 'finished' | 'cancelled' | 'stopped'; readonly job: JobView }
  | { readonly kind: 'unknown' }
  /** Resume it when the service answers again. */
  | { readonly kind: 'unavailable'; readonly job: JobView; readonly cause: string }

export interface DeadLetterPage extends EventPage {
  /** Messages in the dead-letter queues that are not buried yet: not events with the status failed, but soon. Null: not known. */
  readonly waiting: number | null
}

export interface KeptQuery {
  readonly source: string
  readonly from: Millis
  readonly limit: number
}

/** A delivery that was kept, in quarantine or by a capture. */
export interface KeptView {
  readonly source: string
  /** Names it within its source, and sorts by time. */
  readonly key: string
  readonly time: string
  readonly status: number
  readonly outcome: string
  readonly reason: string | null
  readonly id: string | null
  readonly eventId: string | null
  readonly attempt: number | null
  readonly size: number
  readonly correlationId: string
  readonly expiresAt: string
}

export interface KeptDetail extends KeptView {
  readonly method: string
  readonly url: string
  /** Signatures and credentials are shown as `[REDACTED]`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly bodyEncoding: 'utf8' | 'base64'
}

export type ReverifyAnswer =
  | { readonly kind: 'genuine' }
  | { readonly kind: 'distrusted'; readonly reason: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'no-source'; readonly source: string }
  | { readonly kind: 'unavailable'; readonly cause: string }

export type AcceptAnswer =
  /** `outcome`: accepted, or duplicate when the event had come by another way. */
  | { readonly kind: 'taken'; readonly outcome: string; readonly id: string | null; readonly eventId: string | null }
  | Exclude<ReverifyAnswer, { readonly kind: 'genuine' }>

export interface CaptureRequest {
  readonly source: string
  readonly forMs: number
  /** A drill: verified deliveries are not taken, and get this status. */
  readonly answer?: number | undefined
}

export interface CaptureState {
  readonly source: string
  /** Null when nothing is captured. */
  readonly until: string | null
  readonly answer: number | null
}

export type CaptureAnswer =
  | {
      readonly kind: 'set'
      readonly state: CaptureState /** In words: at once, or within some minutes. */
      readonly takesEffect: string
    }
  | { readonly kind: 'no-source'; readonly source: string }
  /** A source that signs nothing never looks at its secrets, which the switch lives among. */
  | { readonly kind: 'unsigned'; readonly source: string }
  /** A drill would lose every event of a sender that does not come again. */
  | { readonly kind: 'never-retries'; readonly source: string }
  /** The same of one that takes a 4xx for an end. */
  | { readonly kind: 'gives-up'; readonly source: string }
  /** And of one whose last try would come before the drill is over. */
  | { readonly kind: 'outlasts'; readonly source: string; readonly windowSeconds: number }
  | { readonly kind: 'unavailable'; readonly cause: string }

export interface Comparison {
  readonly first: KeptView
  readonly second: KeptView
  readonly secondsBetween: number
  /** Null when one of them has no id. */
  readonly sameEventId: boolean | null
  readonly sameBody: boolean
  readonly headers: readonly Change[]
  /** By JSON path where both bodies are JSON, else one entry for the whole. */
  readonly body: readonly Change[]
}

export interface Change {
  readonly path: string
  /** Null: absent. */
  readonly first: string | null
  readonly second: string | null
}
