import { Duration, Names } from 'aws-cdk-lib'
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { ALL_SOURCES, type Metric as MetricName } from '../../functions/contract/metrics.ts'
import { eventMetric, eventMetricBySource } from './event-metrics.ts'
import { queuesOf } from './stores.ts'
import type { Watched } from './watched.ts'

/** One page, read from left to right and down: what came in, what became of it, what was wrong with it, where it waits. */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id)
    const dashboard = new cloudwatch.Dashboard(this, 'Dashboard', {
      dashboardName: Names.uniqueResourceName(this, { maxLength: 100, separator: '-' }),
      defaultInterval: Duration.hours(12),
    })
    for (const row of rows(watched)) dashboard.addWidgets(...row)
  }
}

const rows = (watched: Watched): cloudwatch.IWidget[][] => {
  const { front, receive, publish, worker, bury, recover } = watched
  const queues = [...queuesOf(watched), ...Object.values(watched.destinations).map(({ queue }) => queue)]
  const bySource = (name: MetricName) =>
    graph(`${name} by source`, eventMetricBySource({ environment: watched.environment, name }))
  const ofRecovery = (name: MetricName, statistic = 'Sum') =>
    eventMetric({ environment: watched.environment, source: ALL_SOURCES, name, statistic })
  return [
    [bySource('Accepted'), bySource('Duplicate'), bySource('InFlight')],
    [inLines('Done by source', [worker], 'sum(Done)'), bySource('AttemptFailed'), bySource('Failed')],
    [
      graph('Recovery', ofRecovery('Recovered'), ofRecovery('Waiting'), ofRecovery('Lost')),
      graph('Recovery lag, s', ofRecovery('RecoveryLag', 'Maximum')),
      graph('Recovery runs', recover.metricInvocations(), recover.metricErrors()),
    ],
    [bySource('Rejected'), bySource('Unavailable'), bySource('Ignored')],
    [inLines('Latency by source, ms, p99', publish ? [receive, publish] : [receive], 'pct(Latency, 99)')],
    [
      graph('Answers', front.requests, front.serverErrors),
      graph('Receive function', ...calls(receive)),
      graph('Receive function, ms', ...durations(receive)),
    ],
    ...(publish
      ? [[graph('Publish function', ...calls(publish)), graph('Publish function, ms', ...durations(publish))]]
      : []),
    [
      graph('Worker function', ...calls(worker)),
      graph('Worker function, ms', ...durations(worker)),
      graph('Bury function', ...calls(bury)),
    ],
    ...Object.entries(watched.destinations).map(([name, each]) => [
      graph(`Destination ${name}`, ...calls(each.function)),
      graph(`Destination ${name}, ms`, ...durations(each.function)),
    ]),
    [
      graph('Queues', ...queues.map(({ queue }) => queue.metricApproximateNumberOfMessagesVisible())),
      graph('Oldest message, s', ...queues.map(({ queue }) => queue.metricApproximateAgeOfOldestMessage())),
      graph('Dead letters', ...queues.map(({ deadLetters }) => deadLetters.metricApproximateNumberOfMessagesVisible())),
    ],
  ]
}

const graph = (title: string, ...left: cloudwatch.IMetric[]): cloudwatch.GraphWidget =>
  new cloudwatch.GraphWidget({ title, left, width: 8, height: 6, leftYAxis: { min: 0 } })

/** What is no metric is counted in the lines, when somebody looks. */
const inLines = (title: string, functions: readonly IFunction[], sums: string): cloudwatch.LogQueryWidget =>
  new cloudwatch.LogQueryWidget({
    title,
    logGroupNames: functions.flatMap(each =>
      'logGroup' in each ? [(each as LambdaFunction).logGroup.logGroupName] : [],
    ),
    view: cloudwatch.LogQueryVisualizationType.LINE,
    queryLines: ['filter ispresent(Source)', `stats ${sums} by bin(5m), Source`],
    width: 8,
    height: 6,
  })

const calls = (each: IFunction) => [each.metricInvocations(), each.metricErrors(), each.metricThrottles()]

const durations = (each: IFunction) => ['p50', 'p99'].map(statistic => each.metricDuration({ statistic }))
