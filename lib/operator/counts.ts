import type { Metric } from '../../functions/contract/metrics.ts'
import { type Millis, millis } from '../../functions/domain/brands.ts'
import { parseJson } from '../../functions/domain/parse-json.ts'

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

/** From the lines that the functions write: exact. */
export const countsInLines = async (
  lines: AsyncIterable<string>,
  { metrics, from, until }: Omit<CountQuery, 'sources'>,
): Promise<Counts> => {
  const counts = new Map<string, Partial<Record<Metric, Count>>>()
  for await (const text of lines) {
    // The last line may be half written.
    const line = parseJson(text) as Line | undefined
    const at = line?._aws?.Timestamp
    if (!line || at === undefined || at < from || at > until) continue
    const ofSource = counts.get(line.Source) ?? {}
    counts.set(line.Source, ofSource)
    for (const metric of metrics) {
      const value = line[metric]
      if (!value) continue
      const before = ofSource[metric]
      ofSource[metric] = {
        sum: (before?.sum ?? 0) + value,
        lastAt: millis(Math.max(before?.lastAt ?? 0, at)),
      }
    }
  }
  return counts
}

type Line = {
  readonly _aws?: { readonly Timestamp: number }
  readonly Source: string
} & { readonly [Name in Metric]?: number }
