import type { InsightsRow } from './insights-rows.ts'
import { bucketTimes, NOTHING, type SourceStats, type StatsQuery, sourceStats, type Tally } from './source-stats.ts'

/** Runs a query over the lines of all functions. */
export type AskInsights = (text: string) => Promise<readonly InsightsRow[]>

/** The same figures as from the lines, one by one; CloudWatch counts them. Percentiles are CloudWatch's estimates. */
export const insightsStats = async (ask: AskInsights, query: StatsQuery): Promise<readonly SourceStats[]> => {
  const lines = oursIn(query)
  const [counts, latencies, reasons] = await Promise.all([
    ask(`${lines} | ${SUMS}, pct(Latency, 95) as p95 by Source, bucket | sort bucket asc`),
    ask(`${lines} | stats pct(Latency, 50) as p50, pct(Latency, 95) as p95, pct(Latency, 99) as p99 by Source`),
    ask(`${lines} | filter outcome = "rejected" | stats count(*) as lines by Source, Reason, bucket | sort bucket asc`),
  ])
  const times = bucketTimes(query)
  const placeOf = (row: InsightsRow): string => `${row.Source} ${Math.min(Number(row.bucket), times.length - 1)}`
  const placed = { counts: Map.groupBy(counts, placeOf), reasons: Map.groupBy(reasons, placeOf) }
  const [countsOf, reasonsOf] = [counts, reasons].map(rows => Map.groupBy(rows, ({ Source = '' }) => Source))
  return latencies.map(({ Source: source = '', p50, p95, p99 }) => {
    const buckets = times.map((time, index) => {
      const [inBucket = [], refused = []] = [placed.counts, placed.reasons].map(rows => rows.get(`${source} ${index}`))
      return { time, ...tallyOf(inBucket, refused), latencyP95: asNumber(inBucket.at(-1)?.p95) }
    })
    const latency = asNumber(p50) === null ? null : { p50: Number(p50), p95: Number(p95), p99: Number(p99) }
    return sourceStats(source, tallyOf(countsOf?.get(source), reasonsOf?.get(source)), latency, buckets)
  })
}

/** Metrics as the lines have them. */
const SUMMED = {
  accepted: 'Accepted',
  duplicate: 'Duplicate',
  inFlight: 'InFlight',
  unavailable: 'Unavailable',
  done: 'Done',
  failed: 'Failed',
  ignored: 'Ignored',
} as const satisfies Partial<Record<keyof Tally, string>>

const SUMS = `stats count(outcome) as received, ${Object.entries(SUMMED)
  .map(([name, metric]) => `sum(${metric}) as ${name}`)
  .join(', ')}`

const oursIn = ({ from, until, source, bucketMs }: StatsQuery): string =>
  [
    `filter (ispresent(outcome) or ispresent(work)) and ${AT} >= ${from} and ${AT} <= ${until}`,
    ...(source === undefined ? [] : [`filter Source = ${JSON.stringify(source)}`]),
    `fields floor((${AT} - ${from}) / ${bucketMs}) as bucket`,
  ].join(' | ')

/** A name with anything but letters, digits, `@` and `.` stands in backticks. */
const AT = '`_aws.Timestamp`'

/** A column is empty if no line had a value for it. */
const asNumber = (text: string | undefined): number | null => (text === undefined || text === '' ? null : Number(text))

const tallyOf = (counts: readonly InsightsRow[] = [], reasons: readonly InsightsRow[] = []): Tally => {
  const sum = (name: string): number => counts.reduce((total, row) => total + (asNumber(row[name]) ?? 0), 0)
  const rejectedBy: Record<string, number> = {}
  for (const { Reason, lines } of reasons) {
    const reason = Reason || 'unknown'
    rejectedBy[reason] = (rejectedBy[reason] ?? 0) + Number(lines)
  }
  return {
    ...NOTHING,
    ...Object.fromEntries(['received', ...Object.keys(SUMMED)].map(name => [name, sum(name)])),
    rejected: Object.values(rejectedBy).reduce((total, each) => total + each, 0),
    rejectedBy,
  }
}
