import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { type Check, type Finding, fine } from '../finding.ts'

/** Dead letters are buried within seconds: those that stay are not. Messages wait when the worker is slow or stopped. */
export const checkQueues: Check = async ({ connection: { clients, resources } }) => {
  const { queueUrl, orderedQueueUrl, deadLettersUrl, orderedDeadLettersUrl } = resources
  const waiting = await sum(clients.sqs, [queueUrl, orderedQueueUrl])
  const dead = await sum(clients.sqs, [deadLettersUrl, orderedDeadLettersUrl])
  return [fine(`${waiting === 0 ? 'no' : waiting} messages wait`), ...deadLetters(dead)]
}

const deadLetters = (count: number): readonly Omit<Finding, 'check'>[] =>
  count === 0
    ? []
    : [
        {
          level: 'wrong',
          subject: 'dead letters',
          says: `${count} wait to be buried: the bury function does not run or cannot keep their bodies. After 14 days they are gone`,
          fix: 'docs/runbook.md#deadletters',
        },
      ]

const sum = async (client: SQSClient, urls: readonly (string | undefined)[]): Promise<number> => {
  const depths = await Promise.all(urls.map(url => (url === undefined ? 0 : depthOf(client, url))))
  return depths.reduce((total, depth) => total + depth, 0)
}

const depthOf = async (client: SQSClient, QueueUrl: string): Promise<number> => {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...DEPTHS] }),
  )
  return DEPTHS.reduce((total, name) => total + Number(Attributes[name] ?? 0), 0)
}

const DEPTHS = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const
