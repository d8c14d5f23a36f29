import type { Message, Ordering } from '../contract/message.ts'
import type { EventOrdering, WebhookEvent } from '../domain/event.ts'
import { textOf } from '../domain/parse-json.ts'
import type { EventRecord } from '../domain/record.ts'
import type { World } from '../domain/world.ts'
import { openBody } from './open-body.ts'

/** The event as a handler sees it: its own copy, to do with as it likes. */
export const handlerEvent = (
  { keptBodies, now }: World<'keptBodies' | 'now'>,
  message: Message,
  record: EventRecord,
): WebhookEvent => {
  const bytes = once(() => openBody(keptBodies, message, now()))
  const text = async () => textOf(await bytes())
  const { id, source, provider, eventId, type, generation, receivedAt, correlationId } = message
  const event: WebhookEvent = {
    id: message.copyOf ?? id,
    source,
    provider,
    eventId,
    type,
    generation,
    idempotencyKey: idempotencyKey(message),
    receivedAt,
    correlationId,
    ...(message.via && { via: message.via }),
    bodySigned: message.bodySigned,
    headers: { ...message.headers },
    ordering: message.ordering && orderingOf(message.ordering),
    // Not slice(): that of a Buffer is a view.
    bytes: async () => new Uint8Array(await bytes()),
    text,
    json: async () => parseJson(await text()),
  }
  forwardings.set(event, { message, record })
  return event
}

/** What stands behind an event, for handlers of our own. */
export interface Taken {
  readonly message: Message
  readonly record: EventRecord
}

const forwardings = new WeakMap<WebhookEvent, Taken>()

export const takenAs = (event: WebhookEvent): Taken => {
  const taken = forwardings.get(event)
  if (!taken) throw new TypeError('this is not the event that a message was taken for')
  return taken
}

const orderingOf = ({ key, version }: Ordering): EventOrdering => ({
  key,
  version: version === null ? null : String(version),
})

/** 64 characters and the edition: accepted by every API that takes a key. */
export const idempotencyKey = ({ id, edition }: Pick<Message, 'id' | 'edition'>): string =>
  `${id.slice(0, 56)}-${edition}`

const once = <Value>(read: () => Promise<Value>): (() => Promise<Value>) => {
  let known: Promise<Value> | undefined
  return () => {
    known ??= read().catch(error => {
      known = undefined
      throw error
    })
    return known
  }
}

/** JSON.parse quotes what it could not read, and errors end up in logs and records. */
const parseJson = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    throw new SyntaxError('the body is not JSON')
  }
}
