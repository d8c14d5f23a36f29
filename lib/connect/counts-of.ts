import type { CountQuery, Counts } from '../operator/counts.ts'
import { countsInLines } from '../operator/counts-in-lines.ts'
import { countsInMetrics } from '../operator/counts-in-metrics.ts'
import type { Connection } from './connection.ts'
import { fileLines } from './file-lines.ts'

/** What happened to each source: on a laptop from the functions' own lines, in AWS from the metrics that are made of them. */
export const countsOf = async (connection: Connection, query: CountQuery): Promise<Counts> => {
  if (connection.kind === 'local') {
    const { deliveries } = connection.instance
    return countsInLines(fileLines(deliveries).lines(query), query)
  }
  const { environment, cloud } = connection
  return countsInMetrics(cloud.cloudwatch, { ...query, environment, periodSeconds: periodFor(query) })
}

/** CloudWatch keeps five minutes for 63 days and hours for 15 months; few points are quick to fetch. */
const periodFor = ({ from, until }: CountQuery): number => (until - from <= 86_400_000 ? 300 : 3_600)
