import { METRIC_DIMENSIONS, METRICS_NAMESPACE, type Metric } from '../contract/metrics.ts'

export interface Emf {
  readonly at: number
  readonly environment: string
  readonly source: string
  readonly reason?: string | undefined
  readonly counts: readonly Metric[]
  readonly values: Partial<Record<Metric, number>>
  /** For people and queries: no metric. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** One line that is both log and metrics: CloudWatch reads the metrics out of it (embedded metric format). */
export const emfLine = ({ at, environment, source, reason, counts, values, fields }: Emf): string =>
  `${JSON.stringify({
    _aws: {
      Timestamp: at,
      CloudWatchMetrics: [
        {
          Namespace: METRICS_NAMESPACE,
          Dimensions: [METRIC_DIMENSIONS, ...(reason === undefined ? [] : [[...METRIC_DIMENSIONS, 'Reason']])],
          Metrics: [...counts, ...Object.keys(values)].map(Name => ({ Name, ...UNITS[Name as Metric] })),
        },
      ],
    },
    Environment: environment,
    Source: source,
    Reason: reason,
    ...Object.fromEntries(counts.map(name => [name, 1])),
    ...values,
    ...fields,
  })}\n`

/** Latency has none: every delivery would carry the word, and milliseconds are what everybody expects. */
const UNITS: Partial<Record<Metric, { readonly Unit: string }>> = {
  RecoveryLag: { Unit: 'Seconds' },
}
