import type { Message } from '../contract/message.ts'
import { type Fence, type Fingerprint, type Millis, millis, type Sha256, seconds } from '../domain/brands.ts'
import { clip, type EventRecord } from '../domain/record.ts'

/** A message and how often the queue has handed it out. */
export interface Incoming {
  readonly message: Message
  readonly receiveCount: number
}

/** The record a message implies: what `take` recreates where the real one is gone. */
export const impliedRecord = (
  { message, receiveCount }: Incoming,
  fence: Fence,
  now: Millis,
  leaseUntil: Millis,
): EventRecord => ({
  fingerprint: message.id as Fingerprint,
  source: message.source,
  eventId: clip('eventId', message.eventId),
  type: message.type === null ? null : clip('type', message.type),
  status: 'working',
  generation: message.generation,
  edition: message.edition,
  fence,
  leaseUntil,
  firstSeenAt: millis(Date.parse(message.receivedAt)),
  claimedAt: now,
  updatedAt: now,
  attempts: receiveCount,
  lastError: null,
  bodySha256: message.body.sha256 as Sha256,
  bodySize: message.body.size,
  bodySigned: message.bodySigned,
  bodyAt: message.body.encoding === 'pointer' ? message.body.at : null,
  // No message names it: a record that is made again has none.
  guard: null,
  correlationId: message.correlationId,
  expiresAt: seconds(message.expiresAt),
})
