import type { Millis } from '../../functions/domain/brands.ts'
import { iso, millis } from '../../functions/domain/brands.ts'
import type { LineSource } from './line-source.ts'
import { type ReadLine, readLines } from './read-line.ts'

export interface StatsQuery {
  readonly from: Millis
  readonly until: Millis
  readonly source?: string | undefined
  readonly bucketMs: number
}

export interface Stats {
  readonly from: string
  readonly until: string
  readonly bucketMs: number
  /** Busiest first. */
  readonly sources: readonly SourceStats[]
  /** True when there were more lines than were read: the figures are of the oldest part. */
  readonly truncated: boolean
}

export interface SourceStats extends Tally {
  readonly source: string
  /** Of 0 to 1: duplicates among all that were accepted or duplicates. */
  readonly duplicateRate: number
  /** Milliseconds from the delivery to its answer; null if there was none. */
  readonly latency: { readonly p50: number; readonly p95: number; readonly p99: number } | null
  readonly buckets: readonly (Tally & { readonly time: string; readonly latencyP95: number | null })[]
}

export interface Tally {
  readonly received: number
  readonly accepted: number
  readonly duplicate: number
  readonly inFlight: number
  readonly rejected: number
  readonly rejectedBy: Readonly<Record<string, number>>
  readonly unavailable: number
  readonly done: number
  readonly failed: number
  readonly ignored: number
}

/** As many lines as are read for one answer: half a minute of CloudWatch Logs. */
const MOST_LINES = 500_000

/** What happened to the deliveries and events of each source, in total and over time, from the functions' own lines. */
export const stats = async (lines: LineSource, query: StatsQuery): Promise<Stats> => {
  const { from, until, source, bucketMs } = query
  const found = new Map<string, Count>()
  let read = 0
  for await (const line of readLines(lines, { from, until })) {
    if (source !== undefined && line.source !== source) continue
    if (++read > MOST_LINES) break
    const count = found.get(line.source) ?? newCount(from, until, bucketMs)
    found.set(line.source, count)
    add(count.total, line)
    add(count.buckets[Math.min(Math.floor((line.at - from) / bucketMs), count.buckets.length - 1)], line)
  }
  return {
    from: iso(from),
    until: iso(until),
    bucketMs,
    sources: [...found]
      .map(([name, count]) => sourceStats(name, count, query))
      .sort((left, right) => right.received - left.received),
    truncated: read > MOST_LINES,
  }
}

interface Counting {
  readonly tally: { -readonly [Name in keyof Tally]: Tally[Name] } & { rejectedBy: Record<string, number> }
  readonly latencies: number[]
}

interface Count {
  readonly total: Counting
  readonly buckets: readonly Counting[]
}

const newCounting = (): Counting => ({
  tally: {
    received: 0,
    accepted: 0,
    duplicate: 0,
    inFlight: 0,
    rejected: 0,
    rejectedBy: {},
    unavailable: 0,
    done: 0,
    failed: 0,
    ignored: 0,
  },
  latencies: [],
})

const newCount = (from: number, until: number, bucketMs: number): Count => ({
  total: newCounting(),
  buckets: Array.from({ length: Math.max(1, Math.ceil((until - from) / bucketMs)) }, newCounting),
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

const sourceStats = (source: string, { total, buckets }: Count, { from, bucketMs }: StatsQuery): SourceStats => {
  const { accepted, duplicate } = total.tally
  const sorted = total.latencies.sort((left, right) => left - right)
  return {
    source,
    ...total.tally,
    duplicateRate: accepted + duplicate === 0 ? 0 : duplicate / (accepted + duplicate),
    latency: sorted.length === 0 ? null : { p50: rank(sorted, 0.5), p95: rank(sorted, 0.95), p99: rank(sorted, 0.99) },
    buckets: buckets.map(({ tally, latencies }, index) => ({
      time: iso(millis(from + index * bucketMs)),
      ...tally,
      latencyP95:
        latencies.length === 0
          ? null
          : rank(
              latencies.sort((left, right) => left - right),
              0.95,
            ),
    })),
  }
}

/** The nearest rank: a latency that somebody had. */
const rank = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
