import { type Failing, failForGood } from '../consume/fail-for-good.ts'
import { impliedRecord } from '../consume/incoming.ts'
import { notOurs, type Received, type Work } from '../consume/work.ts'
import { BURIED_BODY_SECONDS } from '../contract/queues.ts'
import { type Fingerprint, plus, seconds, toSeconds } from '../domain/brands.ts'
import { sha256 } from '../domain/identity.ts'
import type { EventReads } from '../domain/ports.ts'
import { readMessage } from '../domain/read-message.ts'
import { clip } from '../domain/record.ts'
import type { EndAnswer } from '../domain/work.ts'

/** To fail an event, and to look first at what became of it. */
export type Burying = Failing & { readonly records: Pick<EventReads, 'read'> }

/** A dead letter: its body is kept for redrive, its record says `failed` and why, and only then may it go. */
export const bury = async (world: Burying, received: Received & { readonly messageId: string }): Promise<Work> => {
  const read = readMessage(received.text)
  if (read.kind === 'malformed') return buryUnread(world, received, read.why)
  const now = world.now()
  const incoming = { message: read.message, receiveCount: received.receiveCount }
  const implied = impliedRecord(incoming, world.newFence(), now, now)
  const existing = await world.records.read(implied.fingerprint, now)
  const isDone = existing?.status === 'done' && existing.generation === implied.generation
  if (isDone) return { work: 'skipped', why: 'done' }
  if (existing && existing.generation > implied.generation) return { work: 'skipped', why: 'superseded' }
  const lastError = existing?.lastError ?? 'DeadLetter: received again and again without an end'
  const by = { fence: implied.fence, now, leaseUntil: now }
  return toWork(
    await failForGood(world, incoming, { ...implied, attempts: existing?.attempts ?? implied.attempts }, by, lastError),
    lastError,
  )
}

/** Not a message of ours, or of a version we do not know: kept as it is, and listed as failed under its own hash. */
const buryUnread = async (
  world: Burying,
  received: Received & { readonly messageId: string },
  why: string,
): Promise<Work> => {
  const now = world.now()
  const bytes = Buffer.from(received.text, 'utf8')
  const digest = sha256(bytes)
  const fingerprint = digest as string as Fingerprint
  const eventId = received.messageId
  const expiresAt = plus(toSeconds(now), seconds(BURIED_BODY_SECONDS))
  const kept = await world.bodies.keep(
    { fingerprint, sha256: digest, bytes, eventId, headers: {}, ordering: null },
    now,
    expiresAt,
  )
  if (kept.kind === 'unavailable') return { work: 'unavailable', cause: kept.cause }
  const lastError = clip('lastError', `Malformed: ${why}`)
  const fence = world.newFence()
  const body = { bodySha256: digest, bodySize: bytes.length, bodyAt: kept.at, expiresAt }
  const answer = await world.failures.fail(
    {
      fingerprint,
      source: '(malformed)',
      eventId,
      type: null,
      status: 'failed',
      generation: 0,
      edition: 0,
      fence,
      leaseUntil: now,
      firstSeenAt: now,
      claimedAt: now,
      updatedAt: now,
      attempts: received.receiveCount,
      lastError,
      correlationId: eventId,
      bodySigned: false,
      guard: null,
      ...body,
    },
    { fence, now, leaseUntil: now },
    { lastError, ...body },
  )
  return toWork(answer, lastError)
}

const toWork = (answer: EndAnswer, lastError: string): Work =>
  answer.kind === 'moved' ? { work: 'failed', lastError } : notOurs(answer)
