import { createHash } from 'node:crypto'
import {
  type Fence,
  type Fingerprint,
  type Millis,
  millis,
  type Sha256,
  seconds,
} from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'

/** A Sunday noon, away from midnight. */
export const NOON = millis(Date.UTC(2026, 10, 15, 12))

let counter = 0
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Never the same twice, spread over the shards as real ones are. */
export const anyFingerprint = (): Fingerprint =>
  digest(`fingerprint ${process.pid} ${counter++} ${Math.random()}`) as Fingerprint

export const anyFence = (): Fence => digest(`fence ${process.pid} ${counter++} ${Math.random()}`).slice(0, 32) as Fence

/** A record as a first claim at `now` writes it. */
export const claimedRecord = (now: Millis = NOON, fields: Partial<EventRecord> = {}): EventRecord => ({
  fingerprint: anyFingerprint(),
  source: 'stripe',
  eventId: 'evt_1',
  type: 'invoice.paid',
  status: 'claimed',
  generation: 0,
  edition: 0,
  fence: anyFence(),
  leaseUntil: millis(now + 15_000),
  firstSeenAt: now,
  claimedAt: now,
  updatedAt: now,
  attempts: 0,
  lastError: null,
  ignoredBecause: null,
  bodySha256: 'a'.repeat(64) as Sha256,
  bodySize: 120,
  bodySigned: true,
  bodyAt: null,
  guard: null,
  correlationId: 'request-1',
  expiresAt: seconds(now / 1000 + 30 * 86_400),
  to: ['worker'],
  copyOf: null,
  madeBy: null,
  ...fields,
})
