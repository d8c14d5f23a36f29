import type { Comparison } from './compare.ts'

export type Ratio = Exclude<keyof Comparison, 'figures' | 'bySize' | 'control'>

export interface Goal {
  readonly says: string
  readonly atMost: number
}

/** Ratios in one run; it is the upper end of the interval that has to be below. */
export const GOALS = {
  coldCpuVsPowertools: { says: 'cold start, CPU of init and first delivery / SDK + Powertools', atMost: 0.15 },
  firstInvokeTlsVsSdk: { says: 'first delivery over TLS, primed, CPU / SDK, not primed', atMost: 0.15 },
  warmNewVsPowertools: { says: 'new event, CPU / SDK + Powertools', atMost: 0.45 },
  warmDuplicateVsPowertools: { says: 'duplicate, CPU / SDK + Powertools', atMost: 0.4 },
  slopeVsPowertools: { says: 'growth from 1 KB to 1 MB, CPU / SDK + Powertools', atMost: 0.4 },
} as const satisfies Record<Ratio, Goal>
