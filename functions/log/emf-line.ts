import {
  BY_FILTER,
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

/**
 * One line that is both log and metrics: CloudWatch reads the metrics out of it, by its directive (embedded metric format) or by a
 * filter. A line without metrics needs no environment: its log group has only one.
 */
export const emfLine = ({ at, environment, source, reason, destination, counts, values, fields }: Emf): string => {
  let named = ''
  for (const name in values) if (values[name as Metric] !== 0) named += `${name} `
  const { isCounted, directive, counted } = directiveOf(counts, named, reason !== undefined, destination !== undefined)
  const whose = JSON.stringify({
    Environment: isCounted ? environment : undefined,
    Source: source,
    Reason: reason,
    Destination: destination,
  })
  // Joined as text, and not as one object of them all, spread into each other.
  return `{"_aws":{"Timestamp":${at}${directive}},${whose.slice(1, -1)}${counted}${more(values)}${more(fields)}}\n`
}

const more = (said: object): string => {
  const text = JSON.stringify(said)
  return text === '{}' ? '' : `,${text.slice(1, -1)}`
}

const WITH_REASON = [...METRIC_DIMENSIONS, 'Reason']

interface Directive {
  /** Something in the line is a metric. */
  readonly isCounted: boolean
  readonly directive: string
  /** `,"Accepted":1` */
  readonly counted: string
}

const directives = new Map<string, Directive>()

/** There are only so many, and nearly every line needs one: written once. */
const directiveOf = (
  counts: readonly Metric[],
  /** Names of values, each with a space after it. */
  named: string,
  withReason: boolean,
  withDestination: boolean,
): Directive => {
  const name = `${counts} ${named}${withReason} ${withDestination}`
  const known = directives.get(name)
  if (known !== undefined) return known
  const metrics = [...counts, ...(named.split(' ').slice(0, -1) as Metric[])]
  const billed = metrics.filter(each => !ONLY_IN_LINES.has(each))
  const said = {
    Namespace: METRICS_NAMESPACE,
    Dimensions: [
      METRIC_DIMENSIONS,
      ...(withReason ? [WITH_REASON] : []),
      ...(withDestination ? [DESTINATION_DIMENSIONS] : []),
    ],
    Metrics: billed.map(Name => ({ Name, ...UNITS[Name] })),
  }
  const isByFilter = billed.every(each => BY_FILTER.has(each))
  const made: Directive = {
    isCounted: billed.length > 0,
    directive: isByFilter ? '' : `,"CloudWatchMetrics":[${JSON.stringify(said)}]`,
    counted: counts.map(each => `,"${each}":1`).join(''),
  }
  directives.set(name, made)
  return made
}

const UNITS: Partial<Record<Metric, { readonly Unit: string }>> = {
  RecoveryLag: { Unit: 'Seconds' },
  PausedSeconds: { Unit: 'Seconds' },
}
