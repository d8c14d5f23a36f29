import type { Metric } from '../../functions/contract/metrics.ts'
import type { Millis } from '../../functions/domain/brands.ts'

/** How often something happened to a source within a time, and when last. */
export interface Count {
  readonly sum: number
  readonly lastAt: Millis
}

/** By source. What did not happen is absent. */
export type Counts = ReadonlyMap<string, Readonly<Partial<Record<Metric, Count>>>>

export interface CountQuery {
  readonly sources: readonly string[]
  readonly metrics: readonly Metric[]
  readonly from: Millis
  readonly until: Millis
}

export const sumOf = (counts: Counts, source: string, metric: Metric): number => counts.get(source)?.[metric]?.sum ?? 0

/** When the last of these happened; null when none did. */
export const lastOf = (counts: Counts, source: string, ...metrics: readonly Metric[]): Millis | null => {
  const instants = metrics.flatMap(metric => counts.get(source)?.[metric]?.lastAt ?? [])
  return instants.length === 0 ? null : (Math.max(...instants) as Millis)
}
