import { createHash } from 'node:crypto'
import {
  type BatchResultErrorEntry,
  type MessageAttributeValue,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
  type SQSClient,
  SQSServiceException,
} from '@aws-sdk/client-sqs'
import type { Message } from '../contract/message.ts'
import { INLINE_MESSAGE_BYTES } from '../contract/queues.ts'
import { messageText } from '../domain/message.ts'
import type { Queue, QueueEntry, SendAnswer } from '../domain/ports.ts'
import { causeOf, unavailable } from './fault.ts'
import { messageAttributes } from './message-attributes.ts'

export interface QueueUrls {
  readonly standard: string
  /** The FIFO queue, where a source names an ordering key. */
  readonly ordered?: string | undefined
}

export const sqsQueue = (client: SQSClient, urls: QueueUrls): Queue => {
  const entryOf = ({ message, trace }: QueueEntry): Entry => ({
    ...destination(urls, message),
    MessageBody: messageText(message),
    MessageAttributes: stringValues(messageAttributes(message, trace)),
  })

  const sendChunk = async (chunk: readonly Entry[]): Promise<SendAnswer[]> => {
    try {
      const { Failed = [], $metadata } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: chunk[0]?.QueueUrl,
          Entries: chunk.map(({ QueueUrl, ...entry }, index) => ({ ...entry, Id: String(index) })),
        }),
      )
      const failures = new Map(Failed.map(failure => [failure.Id, failure]))
      return chunk.map((_entry, index) => entryAnswer(failures.get(String(index)), $metadata.attempts))
    } catch (error) {
      return chunk.map(() => failed(error))
    }
  }

  return {
    async send(message, trace) {
      try {
        await client.send(new SendMessageCommand(entryOf({ message, trace })))
        return { kind: 'sent' }
      } catch (error) {
        return failed(error)
      }
    },

    async sendBatch(entries) {
      const chunks = chunksOf(entries.map(entryOf))
      return (await Promise.all(chunks.map(sendChunk))).flat()
    },
  }
}

type Entry = Pick<
  SendMessageCommandInput,
  'QueueUrl' | 'MessageBody' | 'MessageAttributes' | 'MessageGroupId' | 'MessageDeduplicationId'
>

const MOST_ENTRIES = 10

/** Ten messages, and together no more than one may be. All of one source, so all for one queue. */
const chunksOf = (entries: readonly Entry[]): Entry[][] => {
  const chunks: Entry[][] = []
  let bytes = 0
  for (const entry of entries) {
    const size = (entry.MessageBody?.length ?? 0) + ATTRIBUTE_BYTES
    const chunk = chunks.at(-1)
    if (chunk && chunk.length < MOST_ENTRIES && bytes + size <= INLINE_MESSAGE_BYTES) {
      chunk.push(entry)
      bytes += size
    } else {
      chunks.push([entry])
      bytes = size
    }
  }
  return chunks
}

/** Source, correlation id and trace, generously. */
const ATTRIBUTE_BYTES = 1_024

/** Certain only when it is the message's own fault, and no attempt before may have enqueued it. */
const entryAnswer = (failure: BatchResultErrorEntry | undefined, attempts: number | undefined): SendAnswer => {
  if (!failure) return { kind: 'sent' }
  const cause = `${failure.Code}: ${failure.Message ?? ''}`.slice(0, 120)
  return { kind: failure.SenderFault && attempts === 1 ? 'refused' : 'unavailable', cause }
}

const failed = (error: unknown): SendAnswer =>
  certainlyRefused(error) ? { kind: 'refused', cause: causeOf(error) } : unavailable(error)

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
