import { isOver } from '../contract/status.ts'
import { hasCopies } from './copies.ts'
import type { Settlement } from './ports.ts'
import type { EventRecord, Ownership } from './record.ts'
import type { Act, Audit, Before } from './replay.ts'

/** The record of an event that an operator replays: a new generation and, only if it was done, a new idempotency key. */
export const replayed = (
  seen: EventRecord,
  by: Ownership,
  body: Settlement,
  to: readonly string[] = seen.to,
): EventRecord => ({
  ...seen,
  status: 'claimed',
  generation: seen.generation + 1,
  edition: seen.status === 'done' ? seen.edition + 1 : seen.edition,
  fence: by.fence,
  leaseUntil: by.leaseUntil,
  claimedAt: by.now,
  updatedAt: by.now,
  attempts: 0,
  lastError: null,
  ignoredBecause: null,
  bodySha256: body.bodySha256,
  bodySize: body.bodySize,
  bodyAt: body.bodyAt,
  expiresAt: body.expiresAt,
  to,
})

export const auditOf = (seen: EventRecord, next: EventRecord, { fence, now }: Ownership, act: Act): Audit => ({
  fingerprint: seen.fingerprint,
  generation: next.generation,
  act: 'replay',
  was: isOver(seen.status) || seen.status === 'claimed' ? seen.status : null,
  ...act,
  at: now,
  fence,
  before: beforeOf(seen),
})

export const beforeOf = ({ claimedAt, updatedAt, ignoredBecause, lastError, to }: EventRecord): Before => ({
  claimedAt,
  updatedAt,
  says: ignoredBecause ?? lastError,
  ...(hasCopies({ to }) && { to }),
})
