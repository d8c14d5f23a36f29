import { Duration, Names } from 'aws-cdk-lib'
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { METRICS_NAMESPACE, type Metric as MetricName } from '../../functions/contract/metrics.ts'
import type { Front } from './ingress.ts'
import type { EventQueue } from './queue.ts'

export interface DashboardProps {
  readonly front: Front
  readonly receive: IFunction
  readonly queue: EventQueue
}

/** One page, read from left to right and down: what came in, what was wrong with it, where it waits. */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, { front, receive, queue }: DashboardProps) {
    super(scope, id)
    const dashboard = new cloudwatch.Dashboard(this, 'Dashboard', {
      dashboardName: Names.uniqueResourceName(this, { maxLength: 100, separator: '-' }),
      defaultInterval: Duration.hours(12),
    })
    dashboard.addWidgets(bySource('Accepted'), bySource('Duplicate'), bySource('InFlight'))
    dashboard.addWidgets(bySource('Rejected'), bySource('Unavailable'), bySource('Latency', 'p99'))
    dashboard.addWidgets(
      graph('Answers', front.requests, front.serverErrors),
      graph('Receive function', receive.metricInvocations(), receive.metricErrors(), receive.metricThrottles()),
      graph(
        'Receive function, ms',
        receive.metricDuration({ statistic: 'p50' }),
        receive.metricDuration({ statistic: 'p99' }),
      ),
    )
    dashboard.addWidgets(
      graph('Queue', queue.queue.metricApproximateNumberOfMessagesVisible()),
      graph('Oldest message, s', queue.queue.metricApproximateAgeOfOldestMessage()),
      graph('Dead letters', queue.deadLetters.metricApproximateNumberOfMessagesVisible()),
    )
  }
}

const graph = (title: string, ...left: cloudwatch.IMetric[]) =>
  new cloudwatch.GraphWidget({ title, left, width: 8, height: 6, leftYAxis: { min: 0 } })

/** A search, so that a new source shows up by itself. */
const bySource = (metric: MetricName, statistic = 'Sum') =>
  graph(
    `${metric} by source${statistic === 'Sum' ? '' : `, ${statistic}`}`,
    new cloudwatch.MathExpression({
      expression: `SEARCH('{${METRICS_NAMESPACE},Source} MetricName="${metric}"', '${statistic}')`,
      label: '',
    }),
  )
