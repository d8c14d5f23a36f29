import { Duration } from 'aws-cdk-lib'
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { METRICS_NAMESPACE, type Metric as MetricName } from '../../functions/contract/metrics.ts'
import type { Front } from './ingress.ts'
import type { EventQueue } from './queue.ts'

export interface AlarmsProps {
  readonly sources: readonly string[]
  readonly front: Front
  readonly receive: IFunction
  readonly queue: EventQueue
  /** @default - the alarms change their state and tell nobody */
  readonly topic?: ITopic | undefined
}

/** About $0.40 a month per source and $0.60 for the rest, at $0.10 per metric watched. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id)
    const rules = { ...stackRules(props), ...Object.assign({}, ...props.sources.map(sourceRules)) } as Rules
    for (const [name, { metric, atLeast, periods = 1, says }] of Object.entries(rules)) {
      const alarm = new Alarm(this, name, {
        metric,
        threshold: atLeast,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: periods,
        treatMissingData: TreatMissingData.NOT_BREACHING,
        alarmDescription: says,
      })
      if (props.topic) {
        const tell = new SnsAction(props.topic)
        alarm.addAlarmAction(tell)
        alarm.addOkAction(tell)
      }
    }
  }
}

type Rules = Readonly<Record<string, Rule>>

interface Rule {
  readonly metric: IMetric
  readonly atLeast: number
  /** How many periods in a row. @default 1 */
  readonly periods?: number
  readonly says: string
}

const stackRules = ({ front, receive, queue }: AlarmsProps): Rules => ({
  ServerErrors: {
    // A share, because the answer to an in-flight delivery is a 503 for some senders.
    metric: percentage({ part: front.serverErrors, whole: front.requests, outOf: 1, period: Duration.minutes(5) }),
    atLeast: 5,
    periods: 2,
    says: '5 % of the answers or more were 5xx for ten minutes.',
  },
  FunctionErrors: {
    metric: receive.metricErrors(),
    atLeast: 1,
    says: 'The receive function crashed or ran out of time. What it had claimed waits for its lease to end.',
  },
  FunctionThrottles: {
    metric: receive.metricThrottles(),
    atLeast: 1,
    says: 'Deliveries were turned away for lack of Lambda concurrency: raise the quota, or reserve some for the receive function.',
  },
  DeadLetters: {
    metric: queue.deadLetters.metricApproximateNumberOfMessagesVisible(),
    atLeast: 1,
    says: 'Events that the consumer could not handle are waiting in the dead-letter queue.',
  },
  OldestMessage: {
    metric: queue.queue.metricApproximateAgeOfOldestMessage(),
    atLeast: Duration.hours(1).toSeconds(),
    says: 'An accepted event has been waiting for an hour: the consumer is stopped, failing or too slow.',
  },
})

const sourceRules = (source: string): Rules => ({
  [`Duplicates-${source}`]: {
    metric: percentage({
      part: count(source, 'Duplicate', HOUR),
      whole: count(source, 'Received', HOUR),
      // One duplicate among ten would be 10 %, and say nothing.
      outOf: 20,
      period: HOUR,
    }),
    atLeast: 5,
    says: `${source}: 5 % of an hour's deliveries or more were duplicates. Its sender may not be getting our answers in time.`,
  },
  [`Rejected-${source}`]: {
    metric: count(source, 'Rejected', HOUR),
    atLeast: 5,
    says: `${source}: five deliveries or more were rejected within an hour. A secret may be wrong, or someone is trying to forge.`,
  },
  [`Unavailable-${source}`]: {
    metric: count(source, 'Unavailable', Duration.minutes(5)),
    atLeast: 1,
    says: `${source}: a delivery was answered 503, because the table, the queue or the signing secret was not there. A sender that never retries has lost it.`,
  },
})

const HOUR = Duration.hours(1)

const count = (source: string, metricName: MetricName, period: Duration): Metric =>
  new Metric({
    namespace: METRICS_NAMESPACE,
    metricName,
    dimensionsMap: { Source: source },
    statistic: 'Sum',
    period,
  })

interface Share {
  readonly part: IMetric
  readonly whole: IMetric
  /** With fewer than this, the share is taken for zero. */
  readonly outOf: number
  readonly period: Duration
}

const percentage = ({ part, whole, outOf, period }: Share): MathExpression =>
  new MathExpression({
    expression: `IF(whole >= ${outOf}, 100 * part / whole, 0)`,
    usingMetrics: { part, whole },
    period,
    label: '%',
  })
