import type { SendCalls } from './wire/queue-calls.ts'

export interface HandedMessage {
  readonly queueUrl: string
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly fifo?: { readonly group: string; readonly deduplication: string }
}

/** To a queue that is not ours. */
export const sqsHandOver =
  ({ queue }: { readonly queue: Pick<SendCalls, 'sendMessage'> }) =>
  async ({ queueUrl, text, attributes, fifo }: HandedMessage): Promise<void> => {
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
