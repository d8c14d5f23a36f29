import { NOTHING, type Sample, type Samples } from './sample.ts'
import { type Interval, intervalOf, median } from './statistics.ts'

export interface Goal {
  readonly says: string
  /** What is compared, as `sample.ts` names it. */
  readonly of: string
  readonly to: string
  readonly read: (sample: Sample) => number
  /** Taken away from both, if it is their growth that is compared. */
  readonly since?: { readonly of: string; readonly to: string }
  /** Null: measured for comparison with earlier runs. */
  readonly atMost: number | null
}

const sum = ({ init, first }: Sample): number => init + first
const perEvent = (sample: Sample): number => sample.perEvent

/** Ratios of CPU in one run; it is the upper end of the interval that has to be below. */
export const GOALS = {
  coldTlsVsPowertools: {
    says: 'cold start, init and first delivery / SDK + Powertools',
    ...{ of: 'tls lean', to: 'tls powertools', read: sum, atMost: 0.42 },
  },
  coldTlsVsFloor: {
    says: 'cold start, init and first delivery / floor',
    ...{ of: 'tls lean', to: 'tls floor', read: sum, atMost: 1.25 },
  },
  warmNewVsPowertools: {
    says: 'new event / SDK + Powertools',
    ...{ of: 'new lean', to: 'new powertools', read: perEvent, atMost: 0.46 },
  },
  warmNewVsFloor: {
    says: 'new event / floor',
    ...{ of: 'new lean', to: 'new floor', read: perEvent, atMost: 1.15 },
  },
  warmDuplicateVsPowertools: {
    says: 'duplicate / SDK + Powertools',
    ...{ of: 'duplicate lean', to: 'duplicate powertools', read: perEvent, atMost: 0.46 },
  },
  warmDuplicateVsFloor: {
    says: 'duplicate / floor',
    ...{ of: 'duplicate lean', to: 'duplicate floor', read: perEvent, atMost: 1.3 },
  },
  slopeVsPowertools: {
    says: 'growth from 1 KB to 1 MB / SDK + Powertools',
    ...{ of: 'size 1MB lean', to: 'size 1MB powertools', read: perEvent, atMost: 0.42 },
    since: { of: 'size 1KB lean', to: 'size 1KB powertools' },
  },
  workerColdVsPowertools: {
    says: 'worker, cold start and first batch / Powertools batch + idempotency',
    ...{ of: 'coldWorker worker', to: 'coldWorker workerPowertools', read: sum, atMost: 0.5 },
  },
  workerWarmVsPowertools: {
    says: 'worker, an event of a batch of ten / Powertools batch + idempotency',
    ...{ of: 'worker worker', to: 'worker workerPowertools', read: perEvent, atMost: 0.6 },
  },
  firstInvokeTlsVsSdk: {
    says: 'first delivery alone, primed / SDK, not primed',
    ...{ of: 'tls lean', to: 'tls sdk', read: ({ first }: Sample) => first, atMost: 0.15 },
  },
  coldCpuVsPowertools: {
    says: 'cold start without TLS / SDK + Powertools',
    ...{ of: 'plain lean', to: 'plain powertools', read: sum, atMost: null },
  },
} as const satisfies Record<string, Goal>

export type Ratio = keyof typeof GOALS

/** As the page shows it: with two digits, like the goals. */
export const isMet = ({ high }: Interval, { atMost }: Pick<Goal, 'atMost'>): boolean =>
  atMost === null || Number(high.toFixed(2)) <= atMost

/** The median of the turns of each round, then of the rounds. */
export const ratioOf = (samples: Samples, { of, to, read, since }: Omit<Goal, 'says' | 'atMost'>): Interval => {
  const value = (name: string, less: string | undefined, round: number, turn: number): number => {
    const at = (each: string): number => read(samples[each]?.[round]?.[turn] ?? NOTHING)
    return less === undefined ? at(name) : at(name) - at(less)
  }
  const rounds = (samples[of] ?? []).map((turns, round) =>
    median(turns.map((_, turn) => value(of, since?.of, round, turn) / value(to, since?.to, round, turn))),
  )
  return intervalOf(rounds, Math.random)
}
