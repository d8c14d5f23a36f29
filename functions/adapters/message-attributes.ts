import { MESSAGE_ATTRIBUTES, type Message } from '../contract/message.ts'
import type { Trace } from '../domain/delivery.ts'

/** What travels beside a message; attributes without a value are left out, as SQS asks. */
export const messageAttributes = (message: Message, trace: Trace): Readonly<Record<string, string>> => {
  const values = {
    [MESSAGE_ATTRIBUTES.source]: message.source,
    [MESSAGE_ATTRIBUTES.correlationId]: message.correlationId,
    [MESSAGE_ATTRIBUTES.traceparent]: trace.traceparent,
    [MESSAGE_ATTRIBUTES.amazonTrace]: trace.amazonTrace,
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
