import type { Handler } from '../consume/handle.ts'
import { INLINE_MESSAGE_BYTES } from '../contract/queues.ts'
import type { WebhookEvent } from '../domain/event.ts'
import type { EnvelopeMessage } from '../domain/handing-over.ts'
import { type Enveloping, envelopeText } from './envelope.ts'
import type { QueueTarget } from './target.ts'

export interface QueueDelivery extends Pick<Enveloping, 'destination' | 'keep'> {
  /** Throws if the queue did not take it, or nobody knows. */
  send(message: EnvelopeMessage): Promise<void>
}

/** Hands an event over to a queue of the user's: done when the queue has it. */
export const toQueue =
  ({ send, ...delivery }: QueueDelivery, { queueUrl }: QueueTarget): Handler =>
  async event => {
    const text = await envelopeText(event, { ...delivery, mostBytes: INLINE_MESSAGE_BYTES, embedsJson: false })
    await send({
      queueUrl,
      text,
      attributes: attributesOf(event),
      ...(queueUrl.endsWith('.fifo') && { fifo: fifoOf(event) }),
    })
  }

/** So a reader can filter without opening the body. SQS takes no empty value. */
const attributesOf = ({ source, type, idempotencyKey, correlationId }: WebhookEvent): Record<string, string> => ({
  source,
  ...(type && { type: printable(type) }),
  idempotencyKey,
  correlationId,
})

/** SQS takes no control characters, and counts attributes towards the size. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 256)

/** Events of one key stay in order; all others are a group each. A repeat within five minutes is one message. */
const fifoOf = ({ source, ordering, idempotencyKey, generation }: WebhookEvent) => ({
  group: ordering ? `${source}-${Buffer.from(ordering.key).toString('base64url')}`.slice(0, 128) : idempotencyKey,
  deduplication: `${idempotencyKey}-${generation}`,
})
