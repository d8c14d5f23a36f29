import type { Delivery } from '../domain/delivery.ts'
import type { Verified } from '../domain/evidence.ts'
import { causeOf } from '../domain/fault.ts'
import type { KeptDelivery } from '../domain/kept-delivery.ts'
import { ended, type Outcome, whyEnded } from '../domain/outcome.ts'
import type { Act, Audit } from '../domain/replay.ts'
import type { Receiving, World } from '../domain/world.ts'
import { admit } from '../receive/admit.ts'
import { identify } from '../receive/identify.ts'
import { receiveVerified } from '../receive/receive.ts'
import { split } from '../receive/split.ts'
import { verify } from '../receive/verify.ts'
import { confirmTaking, noteTaking } from './note-taking.ts'
import { revealed } from './revealed.ts'

export type ReverifyAnswer =
  | { readonly kind: 'genuine' }
  | { readonly kind: 'distrusted'; readonly reason: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'no-source'; readonly source: string }
  | { readonly kind: 'unavailable'; readonly cause: string }

export type AcceptAnswer =
  /** `outcome`: accepted, ignored if no route wants it, or duplicate when the event had come by another way. */
  | { readonly kind: 'taken'; readonly outcome: string; readonly id: string | null; readonly eventId: string | null }
  | Exclude<ReverifyAnswer, { readonly kind: 'genuine' }>

/** To verify a delivery again, and to receive it. */
export type Reverifying = Receiving & World<'records' | 'replays' | 'deliveries'>

/** With today's secrets, at the instant it came: would it be believed? */
export const reverify = async (world: Reverifying, source: string, key: string): Promise<ReverifyAnswer> => {
  const verified = await verifiedAgain(world, source, key)
  return 'kind' in verified ? verified : { kind: 'genuine' }
}

/**
 * Takes it as if it had come now. Who wanted that is recorded before; its body is stored before its claim, since its sender has
 * given up. A second acceptance finds a duplicate.
 */
export const acceptQuarantined = async (
  world: Reverifying,
  { source, key, ...act }: Act & { readonly source: string; readonly key: string },
): Promise<AcceptAnswer> => {
  try {
    const verified = await verifiedAgain(world, source, key)
    if ('kind' in verified) return verified
    let audit: Audit | null = null
    const genuine = { ...verified, source: { ...verified.source, storeFirst: true } }
    for (const part of split(genuine) ?? [genuine]) {
      const identified = await identify(world, part)
      if (ended(identified)) return refusalOf(identified)
      const noted = await noteTaking(world, identified, { ...act, act: 'accept' })
      if (noted.kind === 'unavailable') return noted
      audit = noted.audit
    }
    const outcome = await receiveVerified(world, genuine)
    // Of many events in one delivery nobody says which were new: there the first note stands.
    await confirmTaking(world, audit, outcome)
    return answerOf(outcome)
  } catch (error) {
    return { kind: 'unavailable', cause: causeOf(error) }
  }
}

type Refused = Exclude<ReverifyAnswer, { readonly kind: 'genuine' }>

const verifiedAgain = async (world: Reverifying, source: string, key: string): Promise<Verified | Refused> => {
  if (!world.sources.has(source)) return { kind: 'no-source', source }
  const kept = await world.deliveries.fetch('quarantine', source, key, world.now())
  if (!kept) return { kind: 'unknown' }
  const delivery = await revealed(world, deliveryOf(kept))
  if ('kind' in delivery) return delivery
  const admitted = admit(world, delivery)
  if (ended(admitted)) return refusalOf(admitted)
  const verified = await verify({ ...world, now: () => kept.at }, admitted)
  return ended(verified) ? refusalOf(verified) : verified
}

const deliveryOf = (kept: KeptDelivery): Delivery => ({
  method: kept.method,
  source: kept.source,
  url: kept.url,
  headers: new Map(Object.entries(kept.headers)),
  body: kept.body,
  receivedAt: kept.at,
  correlationId: kept.correlationId,
  trace: {},
})

const refusalOf = (outcome: Outcome): Refused => {
  if (outcome.outcome === 'rejected') return { kind: 'distrusted', reason: outcome.reason }
  return { kind: 'unavailable', cause: whyEnded(outcome) }
}

const answerOf = (outcome: Outcome): AcceptAnswer => {
  switch (outcome.outcome) {
    case 'accepted':
    case 'duplicate':
    case 'ignored':
      return { kind: 'taken', outcome: outcome.outcome, id: outcome.id, eventId: outcome.eventId }
    case 'batch':
      return outcome.unavailable + outcome.inFlight > 0
        ? { kind: 'unavailable', cause: 'some of its events could not be taken: accept it again' }
        : { kind: 'taken', outcome: 'batch', id: outcome.ids[0] ?? null, eventId: null }
    case 'in-flight':
      return { kind: 'unavailable', cause: 'another delivery of this event is being processed' }
    case 'rejected':
    case 'unavailable':
    case 'handshake':
    case 'drill':
      return refusalOf(outcome)
  }
}
