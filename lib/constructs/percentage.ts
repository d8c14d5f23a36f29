import type { Duration } from 'aws-cdk-lib'
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch'

export interface Share {
  readonly part: IMetric
  readonly whole: IMetric
  /** With fewer than this, the share is taken for zero. */
  readonly outOf: number
  readonly period: Duration
}

export const percentage = ({ part, whole, outOf, period }: Share): MathExpression =>
  new MathExpression({
    expression: `IF(whole >= ${outOf}, 100 * part / whole, 0)`,
    usingMetrics: { part, whole },
    period,
    label: '%',
  })
