import type { Millis } from '../../functions/domain/brands.ts'
import { causeOf } from '../../functions/domain/fault.ts'
import type { KeptFor } from '../../functions/domain/kept-delivery.ts'
import type { World } from '../../functions/domain/world.ts'
import type { Acts } from '../../functions/operate/acts.ts'
import { jobView } from '../../functions/operate/job-view.ts'
import type { JobAnswer } from '../../functions/operate/replay-many.ts'
import { auditEntry } from './audit-entry.ts'
import { compare } from './compare.ts'
import { type DeadLetterQueues, deadLetters } from './dead-letters.ts'
import { deliveries } from './deliveries.ts'
import { explainFault } from './explain-fault.ts'
import { type KeptQuery, keptDetail, keptView } from './kept-view.ts'
import type { LineSource } from './line-source.ts'
import { list } from './list.ts'
import type { Operator } from './operator.ts'
import { planErase } from './plan-erase.ts'
import { planReplay } from './plan-replay.ts'
import { type Capturing, captureStates, startCapture, stopCapture } from './set-capture.ts'
import { lookUp, type Showing, show } from './show.ts'
import { stats } from './stats.ts'

/** Everything an operator reads; what changes something is in the acts. */
export interface Operating extends World<'records' | 'keptBodies' | 'replays' | 'jobs' | 'deliveries'>, Capturing {
  readonly actor: string
  readonly acts: Acts
  readonly lines: LineSource
  readonly itemOf?: Showing['itemOf']
  readonly deadLetterQueues: DeadLetterQueues
}

export const openOperator = (world: Operating): Operator => {
  const { now, actor, acts, jobs, sources, deliveries: keptDeliveries } = world

  const kept = (keptFor: KeptFor) => ({
    list: async ({ source, from, limit }: KeptQuery) =>
      (await keptDeliveries.list(keptFor, source, from, now(), limit)).map(keptView),
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
    now,
    actor,
    sources: [...world.sources.keys()],
    list: query => list(world.records, { ...query, now: now() }),
    find: sought => lookUp(world, { ...sought, now: now() }),
    show: sought => show(world, { ...sought, now: now() }),
    deliveries: query => deliveries(world.lines, { ...query, until: query.until ?? now() }),
    stats: query => stats(world.lines, query),
    audits: async ({ from, until = now(), limit }) => (await world.replays.recent(from, until, limit)).map(auditEntry),

    replayMany: (id, options) => withJob(id, acts.replayMany(id, options)),
    eraseMany: (id, options) => withJob(id, acts.eraseMany(id, options)),
    planReplay: filter => planReplay(world.records, filter, now()),
    planErase: filter => planErase(world.records, filter, now()),
    job: async id => {
      const job = await jobs.read(id)
      return job && jobView(job)
    },
    jobs: async ({ from, limit }) => (await jobs.recent(from, now(), limit)).map(jobView),

    deadLetters: query => deadLetters(world, { ...query, now: now() }),

    isKnown: async id => (await world.records.read(id, now())) !== undefined,

    quarantine: { ...kept('quarantine'), reverify, accept },
    capture: {
      status: () => captureStates(world),
      start: request => startCapture(world, request),
      stop: source => stopCapture(world, source),
      ...kept('capture'),
    },
    compare: async (source, first, second) => {
      const [one, other] = await Promise.all(
        [first, second].map(key => keptDeliveries.fetch('capture', source, key, now())),
      )
      return one && other && compare(one, other, sources.get(source))
    },
  }
}
