import { Duration } from 'aws-cdk-lib'
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { ALL_SOURCES, UNKNOWN_SOURCE } from '../../functions/contract/metrics.ts'
import { eventMetric } from './event-metrics.ts'
import { percentage } from './percentage.ts'
import type { EventQueue } from './queue.ts'
import type { Watched } from './watched.ts'

export type Rule = {
  readonly metric: IMetric
  /** How many periods in a row. @default 1 */
  readonly periods?: number
  /** What has happened, and what to do. */
  readonly says: string
} & (
  | {
      /** @default 1 */
      readonly atLeast?: number
    }
  | { readonly below: number }
)

export type Rules = Readonly<Record<string, Rule>>

export const stackRules = (watched: Watched): Rules => ({
  ...frontRules(watched),
  ...(watched.publish && publishRules(watched.publish)),
  ...workerRules(watched),
  ...buryRules(watched),
  ...recoverRules(watched),
  ...queueRules('', watched.queue),
  ...(watched.ordered && queueRules('Ordered', watched.ordered)),
})

const frontRules = ({ front, receive }: Watched): Rules => ({
  ServerErrors: {
    // A share, because the answer to an in-flight delivery is a 503 for some senders.
    metric: percentage({ part: front.serverErrors, whole: front.requests, outOf: 1, period: Duration.minutes(5) }),
    atLeast: 5,
    periods: 2,
    says: '5 % of the answers or more were 5xx for ten minutes. The access log says which; the log of the receive function says why.',
  },
  ReceiveErrors: {
    metric: receive.metricErrors(),
    says: 'The receive function crashed or ran out of time: see its log. What it had claimed is finished by recovery or by the sender’s next try.',
  },
  ReceiveThrottles: {
    metric: receive.metricThrottles(),
    says: 'Deliveries were turned away for lack of Lambda concurrency: raise the quota, or reserve some for the receive function.',
  },
})

const publishRules = (publish: IFunction): Rules => ({
  PublishErrors: {
    metric: publish.metricErrors(),
    says: 'The publish function crashed or ran out of time: see its log. Its clients were answered 5xx and try again with the same key.',
  },
  PublishThrottles: {
    metric: publish.metricThrottles(),
    says: 'Your own services were turned away for lack of Lambda concurrency: raise the quota.',
  },
})

const workerRules = ({ worker }: Watched): Rules => ({
  WorkerErrors: {
    metric: worker.metricErrors(),
    says: 'The worker function did not load, crashed or ran out of memory or time, and not just one event of it: see its log. Events that it had begun have used up a try.',
  },
  WorkerThrottles: {
    metric: worker.metricThrottles(),
    says: 'The worker was not given the concurrency that its queue asked for: raise the Lambda quota or lower workerMaxConcurrency. Messages wait, which uses up no try.',
  },
})

const buryRules = ({ bury, environment }: Watched): Rules => ({
  BuryErrors: {
    metric: bury.metricErrors(),
    says: 'The bury function crashed or ran out of time: see its log. Dead letters wait for it for up to 14 days.',
  },
  FailedUnknown: {
    metric: eventMetric({ environment, source: UNKNOWN_SOURCE, name: 'Failed' }),
    says: 'A message that none of our functions wrote, or of a version that this release does not know, was on the queue. No handler saw it; it is kept and listed as failed, which says why. See who can send there, or whether a release was rolled back.',
  },
})

const recoverRules = ({ recover, environment }: Watched): Rules => ({
  RecoveryStopped: {
    metric: recover.metricInvocations(),
    below: 1,
    periods: 2,
    says: 'Recovery has not run for ten minutes: see whether its schedule is enabled and its function has concurrency. Until it runs, an event whose receiver died waits for its sender.',
  },
  RecoveryErrors: {
    metric: recover.metricErrors(),
    atLeast: 3,
    says: 'Recovery failed three times within five minutes: see the log of the recover function.',
  },
  RecoveryLag: {
    metric: eventMetric({ environment, source: ALL_SOURCES, name: 'RecoveryLag', statistic: 'Maximum' }),
    atLeast: Duration.minutes(5).toSeconds(),
    says: 'Recovery is five minutes behind or more: something it needs does not answer, or more is abandoned than it can finish. Its log line counts both.',
  },
  Unreadable: {
    metric: eventMetric({ environment, source: ALL_SOURCES, name: 'Unreadable', statistic: 'Maximum' }),
    says: 'The body of an abandoned event cannot be read: its key or a permission is gone, or it is damaged. Recovery looks again every few minutes and goes on with the others. Its record says why.',
  },
  Lost: {
    metric: eventMetric({ environment, source: ALL_SOURCES, name: 'Lost' }),
    says: 'Events were neither handled nor dead-lettered before the queue let go of their messages: the worker was stopped for 14 days, or nobody finished what a receiver began. They are marked as failed: replay those whose bodies are still kept.',
  },
})

const queueRules = (prefix: '' | 'Ordered', { queue, deadLetters }: EventQueue): Rules => ({
  [`${prefix}OldestMessage`]: {
    metric: queue.metricApproximateAgeOfOldestMessage(),
    atLeast: Duration.hours(1).toSeconds(),
    says: 'An accepted event has been waiting for an hour: the worker is stopped, failing or too slow. See its log, and raise workerMaxConcurrency if it is busy.',
  },
  [`${prefix}DeadLetters`]: deadLettersRule({ deadLetters }),
})

export const deadLettersRule = ({ deadLetters }: Pick<EventQueue, 'deadLetters'>): Rule => ({
  metric: everywhere(deadLetters),
  periods: 3,
  says: 'A dead letter has been waiting for 15 minutes: the bury function does not run or cannot keep bodies. See its log; after 14 days the letter is gone.',
})

/** Hidden ones too, because one that cannot be buried is hidden nearly all the time; and its age is no measure: SQS stops counting it after three tries. */
const everywhere = (queue: EventQueue['deadLetters']): MathExpression => {
  const least = { statistic: 'Minimum' }
  return new MathExpression({
    expression: 'visible + hidden',
    usingMetrics: {
      visible: queue.metricApproximateNumberOfMessagesVisible(least),
      hidden: queue.metricApproximateNumberOfMessagesNotVisible(least),
    },
    period: Duration.minutes(5),
    label: 'messages',
  })
}
