import type { Metric } from '../../functions/contract/metrics.ts'
import { millis } from '../../functions/domain/brands.ts'
import type { Count, CountQuery, Counts } from './counts.ts'

/** From the lines that the functions write: exact. */
export const countsInLines = async (
  lines: AsyncIterable<string>,
  { metrics, from, until }: Omit<CountQuery, 'sources'>,
): Promise<Counts> => {
  const counts = new Map<string, Partial<Record<Metric, Count>>>()
  for await (const text of lines) {
    const line = parse(text)
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

/** The last line may be half written. */
const parse = (text: string): Line | undefined => {
  try {
    return JSON.parse(text) as Line
  } catch {
    return undefined
  }
}
