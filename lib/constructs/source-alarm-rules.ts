import { Duration } from 'aws-cdk-lib'
import type { Metric } from '../../functions/contract/metrics.ts'
import type { ReconcileSchedule } from '../../functions/domain/source.ts'
import type { Rules } from './alarm-rules.ts'
import { eventMetric } from './event-metrics.ts'
import { percentage } from './percentage.ts'

const HOUR = Duration.hours(1)

export const sourceRules = (environment: string, source: string): Rules => {
  const count = (name: Metric, period: Duration) => eventMetric({ environment, source, name, period })
  return {
    [`Duplicates-${source}`]: {
      metric: percentage({
        part: count('Duplicate', HOUR),
        // What is not new is a duplicate.
        rest: count('Accepted', HOUR),
        // One duplicate among ten would be 10 %, and say nothing.
        outOf: 20,
        period: HOUR,
      }),
      atLeast: 5,
      says: `${source}: 5 % of an hour's deliveries or more were duplicates. Its sender may not be getting our answers in time.`,
    },
    [`Rejected-${source}`]: {
      metric: count('Rejected', HOUR),
      atLeast: 5,
      says: `${source}: five deliveries or more were rejected within an hour. A secret may be wrong, or someone is trying to forge.`,
    },
    [`Unavailable-${source}`]: {
      metric: count('Unavailable', Duration.minutes(5)),
      says: `${source}: a delivery was answered 503, or a message was put back, because the table, the queue or the signing secret was not there. The log line says which. A sender that never retries has lost its delivery.`,
    },
    [`Failed-${source}`]: {
      metric: count('Failed', Duration.minutes(5)),
      says: `${source}: an event failed for good. Its record says why and its body is kept for 14 days: fix the worker, then redrive it.`,
    },
  }
}

/** Of a source that is compared with its sender's list by schedule. */
export const reconcileRules = (
  environment: string,
  source: string,
  { every, reportOnly }: ReconcileSchedule,
): Rules => {
  const count = (name: Metric) => eventMetric({ environment, source, name, period: Duration.seconds(every) })
  return {
    [`Missing-${source}`]: {
      metric: count('Missing'),
      says: `${source}: its sender lists events that never arrived. ${reportOnly ? 'Nothing was taken: npx hooklatch reconcile does that.' : 'They were taken from the list, or the log of the reconcile function says why not.'} See why they did not come: npx hooklatch doctor asks the sender for the state of our endpoint.`,
    },
    [`NotCompared-${source}`]: {
      metric: count('Compared'),
      below: 1,
      periods: 3,
      says: `${source}: three times in a row it was not compared with its sender's list. npx hooklatch doctor says why: no API key, one that is not accepted, or a sender that asks us to wait.`,
    },
  }
}
