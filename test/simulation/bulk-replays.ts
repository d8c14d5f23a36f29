import type { Fingerprint } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Check } from './check-times.ts'
import type { Process } from './faults.ts'
import type { Generations } from './generations.ts'
import type { Timeline } from './timeline.ts'

/** A job that replays many events, whoever runs it. */
export interface Bulk {
  readonly id: string
  /** Replays a second, of each process. */
  readonly rate: number
  readonly onlyFailed: boolean
  /** Since when it is known to be cancelled. */
  cancelledAt?: number
  readonly begun: Set<Fingerprint>
}

interface Running {
  readonly bulk: Bulk
  readonly since: number
  begun: number
}

/** What jobs promise: each event once however often they are resumed, not faster than was asked, nothing after they were cancelled. */
export class BulkReplays {
  readonly #bulks = new Set<Bulk>()
  readonly #running = new Map<string, Running>()
  readonly #check: Check
  readonly #generations: Generations
  readonly #timeline: Pick<Timeline, 'now'>

  constructor(check: Check, generations: Generations, timeline: Pick<Timeline, 'now'>) {
    this.#check = check
    this.#generations = generations
    this.#timeline = timeline
  }

  runs(bulk: Bulk, { name }: Process, since: number): void {
    this.#bulks.add(bulk)
    this.#running.set(name, { bulk, since, begun: 0 })
  }

  /** The next one with this name is a new event. */
  forget(fingerprint: Fingerprint): void {
    for (const { begun } of this.#bulks) begun.delete(fingerprint)
  }

  /** Every write passes here; those that count begin an event anew. */
  wrote(before: EventRecord | undefined, after: EventRecord, writes: string, { name }: Process): void {
    const running = writes === 'replay' ? this.#running.get(name) : undefined
    if (!before || !running) return
    const { bulk, since } = running
    const now = this.#timeline.now
    const { fingerprint: id } = after
    const about = (): string => `${name}, job ${bulk.id}, ${id.slice(0, 8)}`
    this.#generations.asked.set(name, {
      id,
      generation: before.generation,
      onlyFailed: bulk.onlyFailed,
      actor: name,
      reason: 'simulated',
      job: bulk.id,
    })
    this.#check('S17 a bulk replay begins each event once', !bulk.begun.has(id), about)
    bulk.begun.add(id)
    running.begun++
    this.#check(
      'S17 a bulk replay keeps its rate',
      running.begun <= 1 + ((now - since) * bulk.rate) / 1000,
      () => `${about()}: ${running.begun} in ${now - since} ms`,
    )
    this.#check('S17 what was cancelled is not resumed', since <= (bulk.cancelledAt ?? since), about)
  }

  /** Of those that were over long before and that nobody has touched since, the job says why it did not replay them. */
  finished(bulk: Bulk, untouched: number, refused: Readonly<Record<string, number>>): void {
    const said = Object.values(refused).reduce((sum, count) => sum + count, 0)
    this.#check(
      'S17 a bulk replay that has finished has met every event',
      untouched <= said,
      () => `job ${bulk.id}: ${untouched} left, ${JSON.stringify(refused)}`,
    )
  }
}
