import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
  SQSServiceException,
} from '@aws-sdk/client-sqs'
import { isGone } from '../wire/is-gone.ts'
import type { QueueCalls, ReceivedMessage } from '../wire/queue-calls.ts'
import { readBatch } from '../wire/read-batch.ts'

/** A long poll answers later than the client's own patience, which is made for calls that answer at once. */
const POLL_SLACK_MS = 10_000

export const sdkQueue = (client: SQSClient): QueueCalls => ({
  async sendMessage(message) {
    try {
      await client.send(new SendMessageCommand(message))
      return { kind: 'sent' }
    } catch (error) {
      return refused(error)
    }
  },

  async sendMessageBatch(QueueUrl, entries) {
    try {
      const Entries = entries.map((entry, index) => ({ ...entry, Id: String(index) }))
      // The SDK compares the MD5 of each entry, as it does that of a single message.
      const answer = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }))
      return readBatch(entries.length, answer, answer.$metadata.attempts)
    } catch (error) {
      return refused(error)
    }
  },

  async receiveMessages(QueueUrl, { waitSeconds, signal }) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
      { ...(signal && { abortSignal: signal }), requestTimeout: waitSeconds * 1000 + POLL_SLACK_MS },
    )
    return Messages.map(toReceived)
  },

  async deleteMessages(QueueUrl, receipts) {
    const Entries = receipts.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }))
    const { Failed = [] } = await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }))
    return Failed.map(({ Id }) => Number(Id))
  },

  async changeVisibility(QueueUrl, ReceiptHandle, VisibilityTimeout) {
    try {
      await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }))
      return 'changed'
    } catch (error) {
      if (isGone(error)) return 'gone'
      throw error
    }
  },

  async queueState(QueueUrl) {
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn', ...DEPTH] }),
    )
    return {
      arn: Attributes?.QueueArn ?? '',
      messages: DEPTH.reduce((sum, name) => sum + Number(Attributes?.[name] ?? 0), 0),
    }
  },
})

const DEPTH = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const

const toReceived = (message: Message): ReceivedMessage => ({
  messageId: message.MessageId ?? '',
  receipt: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  system: (message.Attributes ?? {}) as Readonly<Record<string, string>>,
  attributes: Object.fromEntries(
    Object.entries(message.MessageAttributes ?? {}).map(([name, { StringValue = '' }]) => [name, StringValue]),
  ),
})

const refused = (error: unknown): { readonly kind: 'refused'; readonly error: Error } => {
  const certain = error instanceof SQSServiceException && error.$fault === 'client' && error.$metadata.attempts === 1
  if (!certain) throw error
  return { kind: 'refused', error }
}
