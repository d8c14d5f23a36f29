import type { Message } from '../../functions/contract/message.ts'
import { type Millis, millis } from '../../functions/domain/brands.ts'
import type { Rig } from './rig.ts'

export interface SimMessage {
  readonly queueUrl: string
  readonly messageId: string
  readonly receipt: string
  readonly text: string
  /** What the text says. */
  readonly said: Message
  readonly receiveCount: number
  readonly sentAt: Millis
  readonly group: string | null
}

/** How often a received message stays visible, while there are faults: SQS may hand it out twice. */
const DUPLICATES = 0.1

/** Any messages that can be received: a standard queue has no order. */
export const receiveSome = ({ aws, luck, fails, wake }: Rig, queueUrl: string, most: number): readonly SimMessage[] => {
  const received = aws.queue.receiveMessages(queueUrl, all => {
    if (queueUrl.endsWith('.fifo') || all.length === 0) return all.slice(0, most)
    const first = luck.below(all.length)
    return [...all.slice(first), ...all.slice(0, first)].slice(0, most)
  })
  // Those that were handed out too often are dead letters now.
  wake()
  return received.map(({ messageId, receipt, body: text, system }) => {
    if (!queueUrl.endsWith('.fifo') && fails(DUPLICATES)) aws.queue.changeVisibility(queueUrl, receipt, 0)
    return {
      queueUrl,
      messageId,
      receipt,
      text,
      said: JSON.parse(text),
      receiveCount: Number(system.ApproximateReceiveCount),
      sentAt: millis(Number(system.SentTimestamp)),
      group: system.MessageGroupId ?? null,
    }
  })
}
