import type { Message, MessageBody } from '../contract/message.ts'
import { INLINE_MESSAGE_BYTES } from '../contract/queues.ts'
import { iso, type Seconds, type Sha256 } from './brands.ts'
import { WORKER } from './destinations.ts'
import type { Identified } from './evidence.ts'
import { type Packed, pack } from './packing.ts'
import type { BodyPlace, EventRecord } from './record.ts'

/** Identity, headers and JSON around a body: API Gateway takes 10 KB of headers, escaping can double them. */
const ENVELOPE_BYTES = 32_768

/** SQS bills by 64 KB, so a smaller body gains nothing from compression but a slower start. */
const COMPRESSED_FROM_BYTES = 8_192

/** Raw bytes that fit a message even when they do not compress. */
const ALWAYS_INLINE_BYTES = ((INLINE_MESSAGE_BYTES - ENVELOPE_BYTES) / 4) * 3

/** Too large for the queue even when compressed. */
export const needsPointer = (bytes: Uint8Array): boolean =>
  bytes.length > ALWAYS_INLINE_BYTES && packedOnce(bytes).bytes.length > ALWAYS_INLINE_BYTES

const large = new WeakMap<Uint8Array, Packed>()

/** How long a large body is kept depends on whether it fits a message, so it is asked more than once: 2 ms of CPU for each MB. */
const packedOnce = (bytes: Uint8Array): Packed => {
  const packed = large.get(bytes) ?? pack(bytes, COMPRESSED_FROM_BYTES)
  if (bytes.length > ALWAYS_INLINE_BYTES) large.set(bytes, packed)
  return packed
}

/** `undefined` when the body does not fit and has to travel by pointer. */
export const inlineBody = (bytes: Uint8Array, sha256: Sha256): MessageBody | undefined => {
  const packed = packedOnce(bytes)
  if (packed.bytes.length > ALWAYS_INLINE_BYTES) return undefined
  const data = Buffer.from(packed.bytes.buffer, packed.bytes.byteOffset, packed.bytes.byteLength).toString('base64')
  return { sha256, size: bytes.length, encoding: packed.compressed ? 'zstd' : 'base64', data }
}

/** Where its body is, if it is not in the message itself. */
export const pointedTo = ({ body }: Message): BodyPlace | null => (body.encoding === 'pointer' ? body.at : null)

export const pointerBody = (size: number, sha256: Sha256, at: BodyPlace): MessageBody => ({
  sha256,
  size,
  encoding: 'pointer',
  at,
})

/** Which forwarding of the event a message is. */
export type Forwarding = Pick<
  EventRecord,
  'generation' | 'edition' | 'firstSeenAt' | 'to' | 'copyOf' | 'madeBy' | 'madeIn'
>

export const toMessage = (event: Identified, of: Forwarding, expiresAt: Seconds, body: MessageBody): Message => ({
  version: 1,
  id: event.fingerprint,
  source: event.source.name,
  provider: event.source.provider.id,
  eventId: event.eventId,
  type: event.type,
  generation: of.generation,
  edition: of.edition,
  receivedAt: iso(event.receivedAt),
  correlationId: event.correlationId,
  expiresAt,
  retain: event.source.retain === 'none' ? 0 : event.source.retain,
  bodySigned: event.source.bodySigned,
  headers: event.headers,
  ordering: event.ordering,
  ...(event.via && { via: event.via }),
  ...(of.to.join() !== WORKER && { to: of.to }),
  ...(of.to.length > 1 && { firstSeenAt: of.firstSeenAt }),
  ...(of.copyOf !== null && { copyOf: of.copyOf, madeBy: of.madeBy ?? 0 }),
  ...(of.madeIn && { madeIn: of.madeIn }),
  body,
})

/** SQS refuses or replaces characters that XML does not allow; ASCII is always allowed. */
export const messageText = (message: Message): string => {
  if (!('data' in message.body)) return asciiJson(message)
  // Base64 is ASCII as it is, and may be a megabyte: only what stands around it is looked through.
  const { data, ...body } = message.body
  const around = asciiJson({ ...message, body: { ...body, data: '' } })
  const end = '"}}'
  return around.endsWith(`"data":"${end}`) ? around.slice(0, -end.length) + data + end : asciiJson(message)
}

export const asciiJson = (value: unknown): string => {
  const text = JSON.stringify(value)
  return NOT_ASCII.test(text) ? text.replace(ALL_NOT_ASCII, escaped) : text
}

const NOT_ASCII = /[^\x20-\x7e]/
/** Kept apart: one that is global remembers where it stood. */
const ALL_NOT_ASCII = /[^\x20-\x7e]/g

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
