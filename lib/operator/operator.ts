import type { Fingerprint, Millis } from '../../functions/domain/brands.ts'
import type { Acts } from '../../functions/operate/acts.ts'
import type { JobView } from '../../functions/operate/job-view.ts'
import type { ReplayFilter } from '../../functions/operate/replay-filter.ts'
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
import type { EventDetail, EventSeen } from './show.ts'
import type { StatsQuery } from './source-stats.ts'
import type { Stats } from './stats.ts'

interface Kept {
  /** Of a source, newest first. */
  list(query: KeptQuery): Promise<readonly KeptView[]>
  /** The same without a limit. */
  each(source: string, from: Millis): AsyncIterable<KeptView>
  show(source: string, key: string): Promise<KeptDetail | undefined>
}

/**
 * Everything an operator can ask and do; the CLI and the console call nothing else. Times that come in are epoch milliseconds,
 * times that go out are ISO 8601. What is expected is a value; a service that cannot be reached is thrown by the questions
 * and answered as `unavailable` by the acts. Who acts is part of the connection (`actor`), and no argument.
 */
export interface Operator extends Omit<Acts, 'reverify' | 'accept'> {
  /** The clock of the place that is operated; frozen if the local instance has a frozen clock. */
  readonly now: () => Millis
  /** Who acts: the caller's ARN on AWS, the name of the user on a laptop. */
  readonly actor: string
  /** Names of the sources, in the order of sources.ts. */
  readonly sources: readonly string[]

  list(query: Omit<Query, 'now'>): Promise<EventPage>
  /** The event that an id means, and nothing that takes long to read: an act is on its `id`, and so on what was shown. */
  find(sought: Omit<Sought, 'now'>): Promise<EventSeen | undefined>
  /** `undefined` when no event that is still remembered has this id. */
  show(sought: Omit<Sought, 'now'>): Promise<EventDetail | undefined>
  /** Every delivery and the answer it got, newest first, from the functions' own lines. */
  deliveries(query: DeliveryQuery): Promise<readonly DeliveryView[]>
  stats(query: StatsQuery): Promise<Stats>
  /** Acts of operators, newest first. */
  audits(query: AuditQuery): Promise<readonly AuditEntry[]>

  /** What a filter matches right now; changes nothing. */
  planReplay(filter: ReplayFilter): Promise<ReplayPlan>
  /** What would be erased right now; changes nothing. */
  planErase(filter: EraseFilter): Promise<ErasePlan>
  job(id: string): Promise<JobView | undefined>
  jobs(query: { readonly from: Millis; readonly limit: number }): Promise<readonly JobView[]>

  /** Events that failed for good, newest first, and how many dead letters still wait to be buried. */
  deadLetters(query: Omit<Query, 'now' | 'status'>): Promise<DeadLetterPage>

  /** Whether there is a record of it. */
  isKnown(id: Fingerprint): Promise<boolean>

  /** Rejected deliveries of the sources that keep them. */
  readonly quarantine: Kept & {
    readonly reverify: Acts['reverify']
    readonly accept: Acts['accept']
  }

  readonly capture: Kept & {
    /** Every source and its switch. */
    status(): Promise<readonly CaptureState[]>
    start(request: CaptureRequest): Promise<CaptureAnswer>
    stop(source: string): Promise<CaptureAnswer>
  }

  /** What changed between two captured deliveries of a source; `undefined` when one of them is not kept. */
  compare(source: string, first: string, second: string): Promise<Comparison | undefined>
}
