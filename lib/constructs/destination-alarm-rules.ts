import { Duration } from 'aws-cdk-lib'
import { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { METRICS_NAMESPACE, type Metric as MetricName } from '../../functions/contract/metrics.ts'
import { deadLettersRule, type Rules } from './alarm-rules.ts'
import type { WatchedDestination } from './watched.ts'

/** A source may have the name of a destination: the names of these alarms say which is meant. */
export const destinationRules = (environment: string, name: string, watched: WatchedDestination): Rules => ({
  [`DestinationFailed-${name}`]: {
    metric: metricOf(environment, name, 'Failed', 'Sum'),
    says: `${name}: an event failed for good at this destination. Its record says why and its body is kept for 14 days: fix the cause, then redrive it.`,
  },
  [`DestinationErrors-${name}`]: {
    metric: watched.function.metricErrors(),
    says: `${name}: the function of this destination did not load, crashed or ran out of memory or time: see its log. Events that it had begun have used up a try.`,
  },
  [`DestinationOldestMessage-${name}`]: {
    metric: watched.queue.queue.metricApproximateAgeOfOldestMessage(),
    atLeast: Duration.hours(1).toSeconds(),
    says: `${name}: an event has been waiting for this destination for an hour. It is paused, failing, or slower than events come: see its log, its concurrency and its rate.`,
  },
  [`DestinationDeadLetters-${name}`]: deadLettersRule(watched.queue),
})

/** Of the worker, too. A pause is meant, but one of a day may have been forgotten. */
export const pausedRule = (environment: string, name: string): Rules => ({
  [`DestinationPaused-${name}`]: {
    metric: metricOf(environment, name, 'PausedSeconds', 'Maximum'),
    atLeast: Duration.days(1).toSeconds(),
    says: `${name}: this destination has been paused for a day. Its events wait, and recovery resumes it after seven days at most: hooklatch doctor says who paused it and why.`,
  },
})

const metricOf = (environment: string, name: string, metricName: MetricName, statistic: string): Metric =>
  new Metric({
    namespace: METRICS_NAMESPACE,
    metricName,
    dimensionsMap: { Environment: environment, Destination: name },
    statistic,
    period: Duration.minutes(5),
  })
