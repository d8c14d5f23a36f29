import { GetMetricDataCommand } from '@aws-sdk/client-cloudwatch'
import { spanWords } from '../../catalogue/span-words.ts'
import type { AwsConnection } from '../../connect/connection.ts'
import { destinationsOf } from '../../connect/destinations-of.ts'
import { messagesIn } from '../../operator/dead-letters.ts'
import { type Check, type Found, fine, wrong } from './finding.ts'

/** Dead letters are buried within seconds: those that stay are not. Messages wait when the worker is slow or stopped. */
export const checkQueues: Check = async ({ connection }) => {
  const { aws, resources } = connection
  const further = Object.values(destinationsOf(connection))
  const queues = [resources.queueUrl, resources.orderedQueueUrl, ...further.map(({ queueUrl }) => queueUrl)]
  const letters = [
    resources.deadLettersUrl,
    resources.orderedDeadLettersUrl,
    ...further.map(({ deadLettersUrl }) => deadLettersUrl),
  ]
  const [waiting, dead, oldest] = await Promise.all([
    messagesIn(aws.queue, queues),
    messagesIn(aws.queue, letters),
    connection.kind === 'aws' ? oldestMessage(connection, queues) : 0,
  ])
  return [...messages(waiting, oldest), ...deadLetters(dead)]
}

/** As the alarm OldestMessage. */
const TOO_OLD_SECONDS = 3_600

const messages = (waiting: number, oldest: number): readonly Found[] => {
  const wait = waiting === 1 ? '1 message is waiting' : `${waiting === 0 ? 'no' : waiting} messages are waiting`
  if (waiting === 0 || oldest < TOO_OLD_SECONDS) return [fine(wait)]
  const says = `${wait}, the oldest for ${spanWords(oldest)}: its function is stopped, failing or too slow`
  return [wrong(says, 'docs/runbook.md#oldestmessage')]
}

/** SQS itself does not say: in seconds, from its metric of the last quarter of an hour. */
const oldestMessage = async ({ cloud, now }: AwsConnection, urls: readonly (string | undefined)[]): Promise<number> => {
  const names = urls.flatMap(url => url?.split('/').at(-1) ?? [])
  const { MetricDataResults = [] } = await cloud.cloudwatch.send(
    new GetMetricDataCommand({
      StartTime: new Date(now() - 900_000),
      EndTime: new Date(now()),
      MetricDataQueries: names.map((Value, at) => ({
        Id: `queue${at}`,
        MetricStat: {
          Metric: {
            Namespace: 'AWS/SQS',
            MetricName: 'ApproximateAgeOfOldestMessage',
            Dimensions: [{ Name: 'QueueName', Value }],
          },
          Period: 300,
          Stat: 'Maximum',
        },
      })),
    }),
  )
  return Math.max(0, ...MetricDataResults.flatMap(({ Values = [] }) => Values))
}

const deadLetters = (count: number): readonly Found[] => {
  const says = `${count} are waiting to be buried: the bury function does not run, or it cannot keep their bodies. SQS deletes them after 14 days`
  return count === 0 ? [] : [wrong(says, 'docs/runbook.md#deadletters', 'dead letters')]
}
