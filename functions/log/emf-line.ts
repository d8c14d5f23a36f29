import {
  DESTINATION_DIMENSIONS,
  METRIC_DIMENSIONS,
  METRICS_NAMESPACE,
  type Metric,
  ONLY_IN_LINES,
} from '../contract/metrics.ts'

export interface Emf {
  readonly at: number
  readonly environment: string
  readonly source: string
  readonly reason?: string | undefined
  /** Counted besides, if there is one. */
  readonly destination?: string | undefined
  readonly counts: readonly Metric[]
  readonly values: Partial<Record<Metric, number>>
  /** For people and queries: no metric. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** One line that is both log and metrics: CloudWatch reads the metrics out of it (embedded metric format). */
export const emfLine = ({ at, environment, source, reason, destination, counts, values, fields }: Emf): string => {
  const said = JSON.stringify({
    Environment: environment,
    Source: source,
    Reason: reason,
    Destination: destination,
    ...Object.fromEntries(counts.map(name => [name, 1])),
    ...values,
    ...fields,
  })
  const also = [
    ...(reason === undefined ? [] : [WITH_REASON]),
    ...(destination === undefined ? [] : [DESTINATION_DIMENSIONS]),
  ]
  const metrics = [...counts, ...(Object.keys(values) as Metric[]).filter(name => values[name] !== 0)]
  return `{"_aws":{"Timestamp":${at}${directiveOf(metrics, also)}},${said.slice(1)}\n`
}

const WITH_REASON = [...METRIC_DIMENSIONS, 'Reason']

const directives = new Map<string, string>()

/** There are only so many, and nearly every line needs one: written once. */
const directiveOf = (metrics: readonly Metric[], also: readonly (readonly string[])[]): string => {
  const name = `${metrics.join()} ${also.join()}`
  const known = directives.get(name)
  if (known !== undefined) return known
  const billed = metrics.filter(each => !ONLY_IN_LINES.has(each))
  const said = {
    Namespace: METRICS_NAMESPACE,
    Dimensions: [METRIC_DIMENSIONS, ...also],
    Metrics: billed.map(Name => ({ Name, ...UNITS[Name] })),
  }
  const directive = billed.length === 0 ? '' : `,"CloudWatchMetrics":[${JSON.stringify(said)}]`
  directives.set(name, directive)
  return directive
}

const UNITS: Partial<Record<Metric, { readonly Unit: string }>> = {
  RecoveryLag: { Unit: 'Seconds' },
  PausedSeconds: { Unit: 'Seconds' },
}
