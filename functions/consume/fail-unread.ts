import { BURIED_BODY_SECONDS } from '../contract/queues.ts'
import { type Fingerprint, plus, seconds, toSeconds } from '../domain/brands.ts'
import { sha256 } from '../domain/identity.ts'
import { clip } from '../domain/record.ts'
import type { World } from '../domain/world.ts'
import type { Unread } from './authenticate.ts'
import { notOurs, type Work } from './outcome.ts'

/**
 * Not a message of ours, or of a version we do not know: kept as it is, and listed as failed under its own hash. That begins with a word
 * that no other name begins with: whoever may send to a queue could otherwise spell the name of a copy, and fail it.
 */
export const failUnread = async (
  world: World<'failures' | 'bodies' | 'now' | 'newFence'>,
  { text, messageId: eventId }: { readonly text: string; readonly messageId: string },
  { kind, why }: Unread,
): Promise<Work> => {
  const now = world.now()
  const bytes = Buffer.from(text, 'utf8')
  const digest = sha256(bytes)
  const fingerprint = sha256(Buffer.concat([UNREAD, bytes])) as string as Fingerprint
  const expiresAt = plus(toSeconds(now), seconds(BURIED_BODY_SECONDS))
  const whole = { fingerprint, sha256: digest, bytes, eventId, headers: {}, ordering: null }
  const kept = await world.bodies.keep(whole, now, expiresAt, { unclaimed: true })
  if (kept.kind === 'unavailable') return { work: 'unavailable', cause: kept.cause }
  const lastError = clip('lastError', `${LABELS[kind]}: ${why}`)
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
      attempts: 0,
      lastError,
      ignoredBecause: null,
      correlationId: eventId,
      bodySigned: false,
      guard: null,
      to: [],
      copyOf: null,
      madeBy: null,
      ...body,
    },
    { fence, now, leaseUntil: now },
    { lastError, ...body },
  )
  // Only now it is known that nobody has erased it.
  if (answer.kind === 'moved' && kept.mayBeBlank) {
    const again = await world.bodies.keep(whole, now, expiresAt)
    if (again.kind === 'unavailable') return { work: 'unavailable', cause: again.cause }
  }
  return answer.kind === 'moved' ? { work: 'failed', lastError, unread: true } : notOurs(answer)
}

const UNREAD = Buffer.from('unread message ')

const LABELS = { malformed: 'Malformed', forged: 'Forged' } as const satisfies Record<Unread['kind'], string>
