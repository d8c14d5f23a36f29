import type { Status } from '../contract/status.ts'
import type { Fence, Fingerprint, Millis, Seconds, Sha256 } from './brands.ts'
import type { Via } from './delivery.ts'

/** Where a kept body is: `dynamodb`, or `s3:7d:2026-11-16` for the retention class and the day it was filed on. */
export type BodyPlace = string

/** The row that remembers an event. Never the body; under 1 KB at rest, since a lost claim is billed on its size. */
export interface EventRecord {
  readonly fingerprint: Fingerprint
  readonly source: string
  readonly eventId: string
  readonly type: string | null
  readonly status: Status
  /** 0 for the first forwarding, +1 for each replay or reopening. */
  readonly generation: number
  /** +1 each time a done event is replayed: the part of the idempotency key that changes. */
  readonly edition: number
  readonly fence: Fence
  readonly leaseUntil: Millis
  readonly firstSeenAt: Millis
  /** When its present generation was last claimed, taken over or reopened: its place in the listing. */
  readonly claimedAt: Millis
  readonly updatedAt: Millis
  /** Tries of this generation: how often its handler was called. */
  readonly attempts: number
  readonly lastError: string | null
  /** What the handler said that had no use for it; null unless it is `ignored`. */
  readonly ignoredBecause: string | null
  readonly bodySha256: Sha256
  readonly bodySize: number
  /** False where the sender proves who it is, and not what it says. */
  readonly bodySigned: boolean
  readonly bodyAt: BodyPlace | null
  /** The item that holds the signed bytes for this event, if its source guards them. It lives as long as the record. */
  readonly guard: Fingerprint | null
  readonly correlationId: string
  /** How it came, if not as a delivery. */
  readonly via?: Via
  /** Whoever claimed it gives all its messages a MAC. A short name, since it is paid for in each record. @default an older version, which gave none */
  readonly mac?: true
  readonly expiresAt: Seconds
  /** An operator had its body, headers and errors erased, and those of its copies. It is remembered, and stays as it is. */
  readonly erasedAt?: Millis
  /** The destinations of its present generation. None: no route wanted it. */
  readonly to: readonly string[]
  /** The event that it is a copy of, for one of its destinations. */
  readonly copyOf: Fingerprint | null
  /** The generation of that event by which it was made. */
  readonly madeBy: number | null
  /** The edition that the event had then. @default 0 */
  readonly madeIn?: number
}

/** What a new owner brings to an event: to claim it, take it over or reopen it. */
export interface Ownership {
  readonly fence: Fence
  readonly now: Millis
  readonly leaseUntil: Millis
}

export const isExpired = (record: Pick<EventRecord, 'expiresAt'>, now: Seconds): boolean => record.expiresAt <= now

/** Its owner died, or gave up: another may act. */
export const isAbandoned = (record: EventRecord, now: Millis): boolean =>
  record.status === 'claimed' && record.leaseUntil <= now

/** The lengths that keep a record under 1 KB, whatever its sender puts into an id or a type. */
const CLIP_BYTES = { eventId: 160, type: 80, lastError: 120, ignoredBecause: 120 } as const

export const clip = (field: keyof typeof CLIP_BYTES, text: string): string => {
  let end = CLIP_BYTES[field]
  if (Buffer.byteLength(text) <= end) return text
  const bytes = Buffer.from(text, 'utf8')
  while (isContinuation(bytes[end])) end -= 1
  return bytes.subarray(0, end).toString('utf8')
}

/** In UTF-8: not the first byte of its character. */
const isContinuation = (byte = 0): boolean => (byte & 0xc0) === 0x80
