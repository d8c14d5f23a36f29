import type { Duration } from 'aws-cdk-lib'
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch'

export type Share = {
  readonly part: IMetric
  /** With fewer than this, the share is taken for zero. */
  readonly outOf: number
  readonly period: Duration
} & ({ readonly whole: IMetric } | { readonly rest: IMetric })

export const percentage = ({ part, outOf, period, ...other }: Share): MathExpression => {
  // A metric without data in the period is no number: an hour of duplicates alone is 100 %.
  const whole = 'whole' in other ? 'whole' : '(FILL(part, 0) + FILL(rest, 0))'
  return new MathExpression({
    expression: `IF(${whole} >= ${outOf}, 100 * part / ${whole}, 0)`,
    usingMetrics: { part, ...other },
    period,
    label: '%',
  })
}
