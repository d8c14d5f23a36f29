import type { Handler } from '../consume/handle.ts'
import type { WebhookEvent } from '../domain/event.ts'
import { type Enveloping, envelopeText } from './envelope.ts'
import type { BusTarget } from './target.ts'

/** One event of EventBridge. */
export interface BusEntry {
  readonly EventBusName: string
  readonly Source: string
  readonly DetailType: string
  readonly Detail: string
  /** Epoch seconds. */
  readonly Time: number
}

export interface BusDelivery extends Pick<Enveloping, 'destination' | 'keep'> {
  /** Throws if the bus did not take it, or nobody knows. */
  put(entry: BusEntry): Promise<void>
}

/** EventBridge takes 256 KB with everything around the detail; larger bodies go by pointer. */
const MOST_DETAIL_BYTES = 240_000

/** `DetailType` may not be longer, nor empty. */
const MOST_TYPE_CHARACTERS = 128

/** Puts an event on a bus of the user's: done when the bus has it. `detail.idempotencyKey` is its stable id. */
export const toBus =
  ({ put, ...delivery }: BusDelivery, { bus }: BusTarget): Handler =>
  async event =>
    put({
      EventBusName: bus,
      Source: `hooklatch.${event.source}`,
      DetailType: typeOf(event),
      Detail: await envelopeText(event, { ...delivery, mostBytes: MOST_DETAIL_BYTES, embedsJson: true }),
      Time: Math.floor(Date.parse(event.receivedAt) / 1000),
    })

const typeOf = ({ type }: WebhookEvent): string => type?.slice(0, MOST_TYPE_CHARACTERS) || 'webhook'
