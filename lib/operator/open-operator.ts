import type { Fingerprint, Millis } from '../../functions/domain/brands.ts'
import { causeOf } from '../../functions/domain/fault.ts'
import type { KeptFor } from '../../functions/domain/kept-delivery.ts'
import type { World } from '../../functions/domain/world.ts'
import type { Acts } from '../../functions/operate/acts.ts'
import { jobView } from '../../functions/operate/job-view.ts'
import type { ReplayFilter } from '../../functions/operate/replay-filter.ts'
import type { JobAnswer, ReplayManyOptions } from '../../functions/operate/replay-many.ts'
import { compare } from './compare.ts'
import { type DeadLetterQueues, deadLetters } from './dead-letters.ts'
import { type DeliveryQuery, deliveries } from './deliveries.ts'
import { explainFault } from './explain-fault.ts'
import type { Sought } from './find.ts'
import { type KeptQuery, keptDetail, keptView } from './kept-view.ts'
import type { LineSource } from './line-source.ts'
import { list, type Query } from './list.ts'
import { type EraseFilter, planErase } from './plan-erase.ts'
import { planReplay } from './plan-replay.ts'
import { type CaptureRequest, type Capturing, captureStates, startCapture, stopCapture } from './set-capture.ts'
import { lookUp, type Showing, show } from './show.ts'
import type { StatsQuery } from './source-stats.ts'
import { stats } from './stats.ts'

/** Everything an operator reads; what changes something is in the acts. */
export interface Operating extends World<'records' | 'keptBodies' | 'replays' | 'jobs' | 'deliveries'>, Capturing {
  /** The caller's ARN on AWS, the name of the user on a laptop. */
  readonly actor: string
  readonly acts: Acts
  readonly lines: LineSource
  readonly itemOf?: Showing['itemOf']
  readonly deadLetterQueues: DeadLetterQueues
}

export type Operator = Readonly<ReturnType<typeof openOperator>>

/**
 * Everything an operator can ask and do; the CLI and the console call nothing else. Times that come in are epoch milliseconds,
 * times that go out are ISO 8601. What is expected is a value; a service that cannot be reached is thrown by the questions
 * and answered as `unavailable` by the acts. Who acts is part of the connection (`actor`), and no argument.
 */
export const openOperator = (world: Operating) => {
  const { now, actor, acts, jobs, sources, deliveries: keptDeliveries } = world

  const kept = (keptFor: KeptFor) => ({
    /** Of a source, newest first. */
    list: async ({ source, from, limit }: KeptQuery) =>
      (await keptDeliveries.list(keptFor, source, from, now(), limit)).map(keptView),
    /** The same without a limit. */
    each: async function* (source: string, from: Millis) {
      for await (const found of keptDeliveries.each(keptFor, source, from, now())) yield keptView(found)
    },
    show: async (source: string, key: string) => {
      const found = await keptDeliveries.fetch(keptFor, source, key, now())
      return found && keptDetail(found, sources.get(source))
    },
  })

  /** Whatever breaks off is told with its job, which can be resumed. */
  const withJob = (id: string, run: Promise<JobAnswer>): Promise<JobAnswer> =>
    run.catch(async error => {
      const job = await jobs.read(id).catch(() => undefined)
      if (!job) throw error
      return { kind: 'unavailable', job: jobView(job), cause: explainFault(error) ?? causeOf(error) }
    })

  const { reverify, accept, ...others } = acts
  return {
    ...others,
    /** The clock of the place that is operated; frozen if the local instance has a frozen clock. */
    now,
    actor,
    /** In the order of sources.ts. */
    sources: [...sources.keys()] as readonly string[],
    list: (query: Omit<Query, 'now'>) => list(world.records, { ...query, now: now() }),
    /** The event that an id means, and nothing that takes long to read: an act is on its `id`, and so on what was shown. */
    find: (sought: Omit<Sought, 'now'>) => lookUp(world, { ...sought, now: now() }),
    show: (sought: Omit<Sought, 'now'>) => show(world, { ...sought, now: now() }),
    deliveries: (query: DeliveryQuery) => deliveries(world.lines, { ...query, until: query.until ?? now() }),
    stats: (query: StatsQuery) => stats(world.lines, query),
    replayMany: (id: string, options?: ReplayManyOptions) => withJob(id, acts.replayMany(id, options)),
    eraseMany: (id: string, options?: ReplayManyOptions) => withJob(id, acts.eraseMany(id, options)),
    planReplay: (filter: ReplayFilter) => planReplay(world.records, filter, now()),
    planErase: (filter: EraseFilter) => planErase(world.records, filter, now()),
    job: async (id: string) => {
      const job = await jobs.read(id)
      return job && jobView(job)
    },
    deadLetters: (query: Omit<Query, 'now' | 'status'>) => deadLetters(world, { ...query, now: now() }),
    /** Whether there is a record of it. */
    isKnown: async (id: Fingerprint) => (await world.records.read(id, now())) !== undefined,
    quarantine: { ...kept('quarantine'), reverify, accept },
    capture: {
      /** Every source and its switch. */
      status: () => captureStates(world),
      start: (request: CaptureRequest) => startCapture(world, request),
      stop: (source: string) => stopCapture(world, source),
      ...kept('capture'),
    },
    /** What changed between two captured deliveries of a source; `undefined` when one of them is not kept. */
    compare: async (source: string, first: string, second: string) => {
      const [one, other] = await Promise.all(
        [first, second].map(key => keptDeliveries.fetch('capture', source, key, now())),
      )
      return one && other && compare(one, other, sources.get(source))
    },
  }
}
