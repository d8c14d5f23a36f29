import { type CloudWatchClient, type MetricDataQuery, paginateGetMetricData } from '@aws-sdk/client-cloudwatch'
import { METRICS_NAMESPACE, type Metric } from '../../functions/contract/metrics.ts'
import { type Millis, millis } from '../../functions/domain/brands.ts'
import type { Count, CountQuery, Counts } from './counts.ts'

/** Of one call. */
const MOST_QUERIES = 500

export interface MetricCountQuery extends CountQuery {
  readonly environment: string
  /** How exact `lastAt` is: the beginning of such a period. */
  readonly periodSeconds: number
}

/** From CloudWatch, which takes a cent for a thousand metrics. */
export const countsInMetrics = async (client: CloudWatchClient, query: MetricCountQuery): Promise<Counts> => {
  const asked = query.sources.flatMap(source => query.metrics.map(metric => ({ source, metric })))
  const counts = new Map<string, Partial<Record<Metric, Count>>>(query.sources.map(source => [source, {}]))
  for (let first = 0; first < asked.length; first += MOST_QUERIES) {
    const some = asked.slice(first, first + MOST_QUERIES)
    const points = await pointsOf(
      client,
      some.map(({ source, metric }, at) => metricQuery(query, source, metric, at)),
      query,
    )
    for (const [at, { source, metric }] of some.entries()) {
      const count = countOf(points.get(idOf(at)) ?? [])
      const ofSource = counts.get(source)
      if (count && ofSource) ofSource[metric] = count
    }
  }
  return counts
}

interface Point {
  readonly at: Millis
  readonly value: number
}

const countOf = (points: readonly Point[]): Count | undefined => {
  const counted = points.filter(({ value }) => value > 0)
  if (counted.length === 0) return undefined
  return {
    sum: counted.reduce((sum, { value }) => sum + value, 0),
    lastAt: millis(Math.max(...counted.map(({ at }) => at))),
  }
}

const idOf = (at: number): string => `q${at}`

const metricQuery = (
  { environment, periodSeconds }: MetricCountQuery,
  source: string,
  metric: Metric,
  at: number,
): MetricDataQuery => ({
  Id: idOf(at),
  MetricStat: {
    Metric: {
      Namespace: METRICS_NAMESPACE,
      MetricName: metric,
      Dimensions: [
        { Name: 'Environment', Value: environment },
        { Name: 'Source', Value: source },
      ],
    },
    Period: periodSeconds,
    Stat: 'Sum',
  },
})

const pointsOf = async (
  client: CloudWatchClient,
  MetricDataQueries: MetricDataQuery[],
  { from, until }: MetricCountQuery,
): Promise<ReadonlyMap<string, readonly Point[]>> => {
  const found = new Map<string, Point[]>()
  const span = { StartTime: new Date(from), EndTime: new Date(until) }
  for await (const page of paginateGetMetricData({ client }, { MetricDataQueries, ...span })) {
    for (const { Id = '', Timestamps = [], Values = [] } of page.MetricDataResults ?? []) {
      const points = Timestamps.map((time, at) => ({ at: millis(time.getTime()), value: Values[at] ?? 0 }))
      found.set(Id, [...(found.get(Id) ?? []), ...points])
    }
  }
  return found
}
