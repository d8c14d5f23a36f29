import { iso } from '../../functions/domain/brands.ts'
import type { LineSource } from './line-source.ts'
import { type ReadLine, readLines } from './read-line.ts'
import { bucketTimes, NOTHING, type SourceStats, type StatsQuery, sourceStats, type Tally } from './source-stats.ts'

export type Stats = Readonly<ReturnType<typeof answer>>

/** More than so many are counted by CloudWatch itself, if it may be asked: some seconds instead of minutes, and cents for a hundred million. */
const MANY_LINES = 50_000
/** As many as are read for one answer if not: half a minute of CloudWatch Logs. */
const MOST_LINES = 500_000

/** What happened to the deliveries and events of each source, in total and over time, from the functions' own lines. */
export const stats = async (lines: LineSource, query: StatsQuery): Promise<Stats> => {
  const { from, until, source, bucketMs } = query
  const found = new Map<string, Count>()
  let read = 0
  for await (const line of readLines(lines, { from, until })) {
    if (++read > MOST_LINES) break
    const counted = read === MANY_LINES ? await lines.counted?.(query) : undefined
    if (counted) return answer(query, counted, false)
    if (source !== undefined && line.source !== source) continue
    const count = found.get(line.source) ?? newCount(query)
    found.set(line.source, count)
    add(count.total, line)
    add(count.buckets[Math.min(Math.floor((line.at - from) / bucketMs), count.buckets.length - 1)], line)
  }
  const counted = [...found].map(([name, { total, buckets }]) =>
    sourceStats(
      name,
      total.tally,
      latencyOf(total),
      bucketTimes(query).map((time, index) => bucketOf(time, buckets[index] ?? newCounting())),
    ),
  )
  return answer(query, counted, read > MOST_LINES)
}

const answer = ({ from, until, bucketMs }: StatsQuery, sources: readonly SourceStats[], truncated: boolean) => ({
  from: iso(from),
  until: iso(until),
  bucketMs,
  /** Busiest first. */
  sources: sources.toSorted((left, right) => right.received - left.received),
  /** True when there were more lines than were read: the figures are of the oldest part. */
  truncated,
})

interface Counting {
  readonly tally: { -readonly [Name in keyof Tally]: Tally[Name] } & { rejectedBy: Record<string, number> }
  readonly latencies: number[]
}

interface Count {
  readonly total: Counting
  readonly buckets: readonly Counting[]
}

const newCounting = (): Counting => ({ tally: { ...NOTHING, rejectedBy: {} }, latencies: [] })

const newCount = (query: StatsQuery): Count => ({ total: newCounting(), buckets: bucketTimes(query).map(newCounting) })

const bucketOf = (time: string, counting: Counting): SourceStats['buckets'][number] => ({
  time,
  ...counting.tally,
  latencyP95: latencyOf(counting)?.p95 ?? null,
})

const add = (counting: Counting | undefined, line: ReadLine): void => {
  if (!counting) return
  const { tally, latencies } = counting
  if (line.kind === 'work') {
    if (line.work === 'done' || line.work === 'failed' || line.work === 'ignored') tally[line.work] += 1
    return
  }
  tally.received += 1
  latencies.push(line.milliseconds)
  for (const name of ['accepted', 'duplicate', 'ignored', 'inFlight', 'unavailable'] as const)
    tally[name] += line.counts[name]
  if (line.outcome !== 'rejected') return
  const reason = line.reason ?? 'unknown'
  tally.rejected += 1
  tally.rejectedBy[reason] = (tally.rejectedBy[reason] ?? 0) + 1
}

const latencyOf = ({ latencies }: Counting): SourceStats['latency'] => {
  const sorted = latencies.sort((left, right) => left - right)
  return sorted.length === 0 ? null : { p50: rank(sorted, 0.5), p95: rank(sorted, 0.95), p99: rank(sorted, 0.99) }
}

/** The nearest rank: a latency that somebody had. */
const rank = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
