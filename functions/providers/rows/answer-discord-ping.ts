import type { Handshake, HandshakeReply } from '../../domain/provider.ts'

/** Webhook events ping with type 0. Interactions ping with type 1, which is also the type of every real webhook event. */
export const answerDiscordPing: Handshake = (_, json) => {
  if (typeof json !== 'object' || json === null || !('type' in json)) return undefined
  if (json.type === 0) return WEBHOOK_EVENTS
  return json.type === 1 && !('event' in json) ? INTERACTIONS : undefined
}

/** Discord wants a content type even on an empty answer. */
const WEBHOOK_EVENTS: HandshakeReply = { status: 204, contentType: 'application/json', body: '' }
const INTERACTIONS: HandshakeReply = { status: 200, contentType: 'application/json', body: '{"type":1}' }
