import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../functions/adapters/system.ts'
import { BodyDamaged } from '../../functions/domain/kept-body.ts'
import type { KeptBody } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Connection } from '../connect/connection.ts'
import { LATE_MS, LOOKED_AT_FOR_MS } from '../operator/follow.ts'
import type { SignedRequest } from '../sender/sign.ts'
import { signAgain } from '../sender/sign-again.ts'
import type { Heard, Listening } from './listening.ts'
import { patiently } from './patiently.ts'
import { postEvent } from './post-event.ts'

/** One event to the server. `wait`: its body may still be kept in a moment. `ended`: we were asked to end. */
export const sendAgain = async (record: EventRecord, listening: Listening): Promise<Heard | 'wait' | 'ended'> => {
  const { connection, signal, tell, to, rate } = listening
  if (record.bodyAt === null)
    return mayGetBody(record, listening) ? 'wait' : { record, answer: null, problem: 'its body is not kept' }
  const kept = await patiently(() => bodyOf(record, connection), listening)
  if (kept === undefined) return 'ended'
  if (typeof kept === 'string') return { record, answer: null, problem: kept }
  const source = listening.sources.get(record.source)
  const secret = source ? listening.secretOf(source) : ''
  let unsigned: string | null = null
  const make = (): SignedRequest => {
    const made = signAgain(source, secret, kept, { url: to, now: systemClock() })
    unsigned = made.unsigned
    return made
  }
  const pace = sleep(1_000 / rate, undefined, { signal }).catch(() => undefined)
  const answer = await postEvent(make, {
    signal,
    onDown: why => tell(`${to} does not answer (${why}). Trying again until it does. Nothing is skipped.`),
  })
  if (answer === undefined) return 'ended'
  await pace
  return { record, answer, problem: unsigned === null ? null : `sent without a signature: ${unsigned}` }
}

const bodyOf = async (
  { fingerprint, bodySha256, bodyAt }: EventRecord,
  { stores, now }: Connection,
): Promise<KeptBody | string> => {
  try {
    const kept = await stores.keptBodies.fetch(fingerprint, bodySha256, bodyAt ?? '', now())
    return kept ?? 'its body is no longer kept'
  } catch (error) {
    if (error instanceof BodyDamaged) return 'its kept body is damaged'
    throw error
  }
}

/** The receiver keeps the body before it queues the event, and its record says so a little later. */
const mayGetBody = ({ status, claimedAt, source }: EventRecord, { connection, sources }: Listening): boolean => {
  const age = connection.now() - claimedAt
  if (status === 'claimed') return age < LOOKED_AT_FOR_MS
  return sources.get(source)?.retain !== 'none' && age < LATE_MS
}
