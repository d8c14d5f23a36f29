import { Duration } from 'aws-cdk-lib'
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { METRIC_DIMENSIONS, METRICS_NAMESPACE, type Metric as MetricName } from '../../functions/contract/metrics.ts'

export interface Counted {
  readonly environment: string
  readonly source: string
  readonly name: MetricName
  /** @default 'Sum' */
  readonly statistic?: string
  /** @default Duration.minutes(5) */
  readonly period?: Duration
}

/** A metric that the functions write, for one source. */
export const eventMetric = ({ environment, source, name, statistic = 'Sum', period }: Counted): Metric =>
  new Metric({
    namespace: METRICS_NAMESPACE,
    metricName: name,
    dimensionsMap: { Environment: environment, Source: source } satisfies Dimensions,
    statistic,
    period: period ?? Duration.minutes(5),
  })

/** The same for every source: a search, so a new one shows up by itself. Alarms take no searches. */
export const eventMetricBySource = ({ environment, name, statistic = 'Sum' }: Omit<Counted, 'source' | 'period'>) =>
  new MathExpression({
    expression: `SEARCH('{${METRICS_NAMESPACE},${METRIC_DIMENSIONS.join(',')}} MetricName="${name}" Environment="${environment}"', '${statistic}')`,
    label: '',
  })

type Dimensions = Record<(typeof METRIC_DIMENSIONS)[number], string>
