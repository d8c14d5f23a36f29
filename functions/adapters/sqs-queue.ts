import {
  type MessageAttributeValue,
  SendMessageCommand,
  type SQSClient,
  SQSServiceException,
} from '@aws-sdk/client-sqs'
import { messageText } from '../domain/message.ts'
import type { Queue } from '../domain/ports.ts'
import { causeOf, unavailable } from './fault.ts'
import { messageAttributes } from './message-attributes.ts'

export const sqsQueue = (client: SQSClient, queueUrl: string): Queue => ({
  async send(message, trace) {
    try {
      await client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
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

/** A 4xx to the first and only attempt. After a retry, the attempt before may have been applied: then nobody knows. */
const certainlyRefused = (error: unknown): boolean =>
  error instanceof SQSServiceException && error.$fault === 'client' && error.$metadata.attempts === 1

const stringValues = (values: Readonly<Record<string, string>>): Record<string, MessageAttributeValue> =>
  Object.fromEntries(Object.entries(values).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]))
