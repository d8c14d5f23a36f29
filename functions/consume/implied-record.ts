import type { Message } from '../contract/message.ts'
import { type Fence, type Fingerprint, type Millis, millis, type Sha256, seconds } from '../domain/brands.ts'
import { pointedTo } from '../domain/message.ts'
import { clip, type EventRecord } from '../domain/record.ts'
import { WORKER_ALONE } from '../domain/route.ts'

/** The record that a message implies, before any try: what is made again if the real one is gone. */
export const impliedRecord = (message: Message, fence: Fence, now: Millis, leaseUntil: Millis): EventRecord => ({
  fingerprint: message.id as Fingerprint,
  source: message.source,
  eventId: clip('eventId', message.eventId),
  type: message.type === null ? null : clip('type', message.type),
  status: 'working',
  generation: message.generation,
  edition: message.edition,
  fence,
  leaseUntil,
  firstSeenAt: millis(message.firstSeenAt ?? Date.parse(message.receivedAt)),
  claimedAt: now,
  updatedAt: now,
  attempts: 0,
  lastError: null,
  ignoredBecause: null,
  bodySha256: message.body.sha256 as Sha256,
  bodySize: message.body.size,
  bodySigned: message.bodySigned,
  bodyAt: pointedTo(message),
  // No message names it: a record that is made again has none.
  guard: null,
  correlationId: message.correlationId,
  ...(message.via && { via: message.via }),
  // Without a MAC a message counts only beside its record, and makes none.
  mac: true,
  expiresAt: seconds(message.expiresAt),
  to: message.to ?? WORKER_ALONE,
  copyOf: (message.copyOf as Fingerprint | undefined) ?? null,
  madeBy: message.madeBy ?? null,
  ...(message.madeIn !== undefined && { madeIn: message.madeIn }),
})
