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
export const emfLine = ({ at, environment, source, reason, counts, values, fields }: Emf): string => {
  const said = JSON.stringify({
    Environment: environment,
    Source: source,
    Reason: reason,
    ...Object.fromEntries(counts.map(name => [name, 1])),
    ...values,
    ...fields,
  })
  const directive = directiveOf([...counts, ...(Object.keys(values) as Metric[])], reason !== undefined)
  return `{"_aws":{"Timestamp":${at},"CloudWatchMetrics":[${directive}]},${said.slice(1)}\n`
}

const directives = new Map<string, string>()

/** There are only so many, and every line needs one: written once. */
const directiveOf = (metrics: readonly Metric[], withReason: boolean): string => {
  const name = `${metrics.join()} ${withReason}`
  const known = directives.get(name)
  if (known !== undefined) return known
  const directive = JSON.stringify({
    Namespace: METRICS_NAMESPACE,
    Dimensions: [METRIC_DIMENSIONS, ...(withReason ? [[...METRIC_DIMENSIONS, 'Reason']] : [])],
    Metrics: metrics.map(Name => ({ Name, ...UNITS[Name] })),
  })
  directives.set(name, directive)
  return directive
}

/** Latency has none: every delivery would carry the word, and milliseconds are what everybody expects. */
const UNITS: Partial<Record<Metric, { readonly Unit: string }>> = {
  RecoveryLag: { Unit: 'Seconds' },
}
