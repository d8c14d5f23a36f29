import { createHash } from 'node:crypto'
import {
  type MessageAttributeValue,
  SendMessageCommand,
  type SendMessageCommandInput,
  type SQSClient,
  SQSServiceException,
} from '@aws-sdk/client-sqs'
import type { Message } from '../contract/message.ts'
import { messageText } from '../domain/message.ts'
import type { Queue } from '../domain/ports.ts'
import { causeOf, unavailable } from './fault.ts'
import { messageAttributes } from './message-attributes.ts'

export interface QueueUrls {
  readonly standard: string
  /** The FIFO queue, where a source names an ordering key. */
  readonly ordered?: string | undefined
}

export const sqsQueue = (client: SQSClient, urls: QueueUrls): Queue => ({
  async send(message, trace) {
    try {
      await client.send(
        new SendMessageCommand({
          ...destination(urls, message),
          MessageBody: messageText(message),
          MessageAttributes: stringValues(messageAttributes(message, trace)),
        }),
      )
      return { kind: 'sent' }
    } catch (error) {
      return certainlyRefused(error) ? { kind: 'refused', cause: causeOf(error) } : unavailable(error)
    }
  },
})

/** One group per source and key; the same forwarding sent twice within five minutes is one message. */
const destination = (
  { standard, ordered }: QueueUrls,
  { id, generation, source, ordering }: Message,
): Pick<SendMessageCommandInput, 'QueueUrl' | 'MessageGroupId' | 'MessageDeduplicationId'> => {
  if (!ordering) return { QueueUrl: standard }
  if (ordered === undefined) throw new Error(`source "${source}" is ordered, but there is no ordered queue`)
  return {
    QueueUrl: ordered,
    MessageGroupId: createHash('sha256')
      .update(JSON.stringify([source, ordering.key]))
      .digest('hex'),
    MessageDeduplicationId: `${id}-${generation}`,
  }
}

/** A 4xx to the first and only attempt. After a retry, the attempt before may have been applied: then nobody knows. */
const certainlyRefused = (error: unknown): boolean =>
  error instanceof SQSServiceException && error.$fault === 'client' && error.$metadata.attempts === 1

const stringValues = (values: Readonly<Record<string, string>>): Record<string, MessageAttributeValue> =>
  Object.fromEntries(Object.entries(values).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]))
