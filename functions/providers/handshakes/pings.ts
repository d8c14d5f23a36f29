import type { Handshake } from '../../domain/provider.ts'
import { askedFields } from './ask.ts'
import { sayJson, sayNothing } from './say.ts'

/** Webhook events ping with type 0. Interactions ping with type 1, which is also the type of every real webhook event. */
export const discordPing: Handshake = {
  says: 'signed POST of type 0, answered 204; of type 1 without an event, answered {"type":1}',
  signed: true,
  answer: asked => {
    const fields = askedFields(asked)
    // Discord wants a content type even on an empty answer.
    if (fields.type === 0) return sayNothing(204, 'application/json')
    return fields.type === 1 && !('event' in fields) ? sayJson({ type: 1 }) : undefined
  },
}

/** Xero's "intent to receive" and LINE's "verify": signed, with an empty list of events. */
export const emptyEvents: Handshake = {
  says: 'signed POST with an empty list of events, answered 200 without a body (a wrong signature: 401)',
  signed: true,
  answer: asked => {
    const { events } = askedFields(asked)
    return Array.isArray(events) && events.length === 0 ? sayNothing(200) : undefined
  },
}

export const wooPing: Handshake = {
  says: 'unsigned POST of webhook_id=<number>, answered 200',
  signed: false,
  answer: ({ delivery: { body } }) =>
    body.length < 64 && /^webhook_id=\d{1,20}$/.test(Buffer.from(body).toString('latin1'))
      ? sayNothing(200)
      : undefined,
}

export const emptyPost: Handshake = {
  says: 'unsigned POST without a body, answered 200',
  signed: false,
  answer: ({ delivery: { method, body } }) => (method === 'POST' && body.length === 0 ? sayNothing(200) : undefined),
}
