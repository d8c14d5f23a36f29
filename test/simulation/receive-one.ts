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
  readonly receives: number
  readonly sentAt: Millis
}

/** How often a received message stays visible, while there are faults: SQS may hand it out twice. */
const DUPLICATES = 0.1

/** Any message that can be received: a standard queue has no order. */
export const receiveOne = ({ aws, luck, fails }: Rig, queueUrl: string): SimMessage | undefined => {
  if (aws.messages(queueUrl).length === 0) return undefined
  const [message] = aws.queue.receiveMessages(queueUrl, all => (all.length > 0 ? [luck.pick(all)] : []))
  if (!message) return undefined
  const { messageId, receipt, body: text, system } = message
  if (fails(DUPLICATES)) aws.queue.changeVisibility(queueUrl, receipt, 0)
  const receives = Number(system.ApproximateReceiveCount)
  return {
    queueUrl,
    messageId,
    receipt,
    text,
    said: JSON.parse(text),
    receives,
    sentAt: millis(Number(system.SentTimestamp)),
  }
}
