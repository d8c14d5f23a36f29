import { millis } from '../../functions/domain/brands.ts'
import { type CountQuery, type Counts, countsInLines } from '../operator/counts.ts'
import { countsInMetrics } from '../operator/counts-in-metrics.ts'
import { explainFault } from '../operator/explain-fault.ts'
import { USE_METRICS } from '../operator/secret-uses.ts'
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

/** A quiet webhook may be quiet for a while. */
const LOOK_BACK_MS = 90 * 86_400_000

/** What tells when each source's secrets were last used, or a sentence that says why that is not known. */
export const usesOf = async (connection: Connection, sources: readonly string[]): Promise<Counts | string> => {
  const until = connection.now()
  try {
    return await countsOf(connection, { sources, metrics: USE_METRICS, from: millis(until - LOOK_BACK_MS), until })
  } catch (error) {
    return `It is not known when the secrets were last used. ${explainFault(error) ?? (error as Error).message}`
  }
}
