import { createHash } from 'node:crypto'
import type { Message } from '../contract/message.ts'
import { INLINE_MESSAGE_BYTES } from '../contract/queues.ts'
import { messageText } from '../domain/message.ts'
import type { Queue, QueueEntry, SendAnswer } from '../domain/ports.ts'
import { causeOf, unavailable } from './fault.ts'
import { messageAttributes } from './message-attributes.ts'
import type { QueueCalls, QueueMessage } from './wire/queue-calls.ts'

export interface QueueUrls {
  readonly standard: string
  /** The FIFO queue, where a source names an ordering key. */
  readonly ordered?: string | undefined
}

/** With whichever client makes the calls. */
export const queueOver = (calls: QueueCalls, urls: QueueUrls): Queue => {
  const entryOf = ({ message, trace }: QueueEntry): QueueMessage => ({
    ...destination(urls, message),
    MessageBody: messageText(message),
    MessageAttributes: stringValues(messageAttributes(message, trace)),
  })

  const sendChunk = async (chunk: readonly QueueMessage[]): Promise<SendAnswer[]> => {
    try {
      const [first] = chunk
      const answer = await calls.sendMessageBatch(
        first?.QueueUrl ?? '',
        chunk.map(({ QueueUrl, ...entry }) => entry),
      )
      return chunk.map((_entry, index) =>
        answer.kind === 'sent' ? entryAnswer(answer.failed.get(index)) : refused(answer.error),
      )
    } catch (error) {
      return chunk.map(() => unavailable(error))
    }
  }

  return {
    async send(message, trace) {
      try {
        const answer = await calls.sendMessage(entryOf({ message, trace }))
        return answer.kind === 'sent' ? answer : refused(answer.error)
      } catch (error) {
        return unavailable(error)
      }
    },

    async sendBatch(entries) {
      const chunks = chunksOf(entries.map(entryOf))
      return (await Promise.all(chunks.map(sendChunk))).flat()
    },
  }
}

const MOST_ENTRIES = 10

/** Ten messages, and together no more than one may be. All of one source, so all for one queue. */
const chunksOf = (entries: readonly QueueMessage[]): QueueMessage[][] => {
  const chunks: QueueMessage[][] = []
  let bytes = 0
  for (const entry of entries) {
    const size = entry.MessageBody.length + ATTRIBUTE_BYTES
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

const entryAnswer = (failure: { readonly cause: string; readonly certain: boolean } | undefined): SendAnswer =>
  failure ? { kind: failure.certain ? 'refused' : 'unavailable', cause: failure.cause.slice(0, 120) } : { kind: 'sent' }

const refused = (error: Error): SendAnswer => ({ kind: 'refused', cause: causeOf(error) })

/** One group per source and key; the same forwarding sent twice within five minutes is one message. */
const destination = (
  { standard, ordered }: QueueUrls,
  { id, generation, source, ordering }: Message,
): Pick<QueueMessage, 'QueueUrl' | 'MessageGroupId' | 'MessageDeduplicationId'> => {
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

const stringValues = (values: Readonly<Record<string, string>>): QueueMessage['MessageAttributes'] =>
  Object.fromEntries(Object.entries(values).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]))
