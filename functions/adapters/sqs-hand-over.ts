import type { EnvelopeMessage } from '../domain/handing-over.ts'
import type { SendCalls } from './wire/queue-calls.ts'

/** To a queue that is not ours. */
export const sqsHandOver =
  ({ queue }: { readonly queue: Pick<SendCalls, 'sendMessage'> }) =>
  async ({ queueUrl, text, attributes, fifo }: EnvelopeMessage): Promise<void> => {
    const answer = await queue.sendMessage({
      QueueUrl: queueUrl,
      MessageBody: text,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
      ),
      ...(fifo && { MessageGroupId: fifo.group, MessageDeduplicationId: fifo.deduplication }),
    })
    if (answer.kind === 'refused') throw answer.error
  }
