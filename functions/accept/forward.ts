import type { Message, MessageBody } from '../contract/message.ts'
import { plus, type Seconds, toSeconds } from '../domain/brands.ts'
import type { Claimed, Forwarded } from '../domain/evidence.ts'
import { inlineBody, pointerBody, toMessage } from '../domain/message.ts'
import { type Ending, ended, outage } from '../domain/outcome.ts'
import type { KeepAnswer, KeyStore, SendAnswer, Unavailable } from '../domain/ports.ts'
import type { Secret } from '../domain/secret.ts'
import type { World } from '../domain/world.ts'
import { keptOnce } from './keep.ts'
import { type Patience, patienceOf } from './patience.ts'

/** To put an event on the queue. */
export interface Forwarding extends World<'events' | 'bodies' | 'queue' | 'now' | 'pause'> {
  readonly secrets: KeyStore
}

/** Puts the event on the queue and, side by side, its body where replay finds it. */
export const forward = async (world: Forwarding, claimed: Claimed): Promise<Forwarded | Ending<'unavailable'>> => {
  const prepared = await prepareForwarding(world, claimed)
  if (ended(prepared)) return leaveToRecovery(world, claimed, prepared)
  const sending = world.queue.send(prepared.message, claimed.trace, prepared.key)
  const keeping = keptForReplay(world, prepared)
  return concludeForwarding(world, prepared, await sending, keeping, patienceOf(world))
}

export interface Prepared {
  readonly claimed: Claimed
  readonly message: Message
  /** That seals the message. */
  readonly key: Secret
  readonly expiresAt: Seconds
}

/** The message of an event whose owner may still act, and whose body is where the message says. */
export const prepareForwarding = async (
  world: Forwarding,
  claimed: Claimed,
): Promise<Prepared | Ending<'unavailable'>> => {
  const key = await world.secrets.fingerprintKey()
  if ('kind' in key) return giveUp(world, claimed, outage('secret-store', key.cause))
  const inline = claimed.copyOf === undefined ? inlineBody(claimed.body, claimed.bodySha256) : undefined
  const body = inline ?? (await byPointer(world, claimed))
  if ('kind' in body) return giveUp(world, claimed, outage('body-store', body.cause))
  // After all that has to be waited for: from here on there is nothing but the send.
  const now = world.now()
  if (now >= claimed.record.leaseUntil) return outage('lease-passed', 'woke up after the lease had passed')
  const expiresAt = plus(toSeconds(now), claimed.source.memory)
  return { claimed, key, expiresAt, message: toMessage(claimed, claimed.record, expiresAt, body) }
}

/** From a confirmed send on, the copy for replay is not waited for longer than there is patience. */
export const concludeForwarding = async (
  world: Forwarding,
  { claimed, expiresAt }: Prepared,
  sent: SendAnswer,
  keeping: Promise<KeepAnswer | null>,
  patience: Patience,
): Promise<Forwarded | Ending<'unavailable'>> => {
  if (sent.kind === 'refused') return giveUp(world, claimed, outage(sent.nowhere ? 'destination' : 'queue', sent.cause))
  if (sent.kind === 'unavailable') return outage('queue', sent.cause)
  const kept = await patience.wait(keeping)
  const bodyNotKept = kept === undefined || kept?.kind === 'unavailable'
  const bodyAt = kept?.kind === 'kept' ? kept.at : null
  return { ...claimed, expiresAt, bodyAt, bodyNotKept, stillKeeping: kept === undefined ? keeping : null } as Forwarded
}

/** Written before the send: a message never points to nothing. */
const byPointer = async (world: Forwarding, claimed: Claimed): Promise<MessageBody | Unavailable> => {
  const kept = await keptOnce(world, claimed)
  return kept.kind === 'kept' ? pointerBody(claimed.body.length, claimed.bodySha256, kept.at) : kept
}

/** `null`: there is nothing to keep. */
export const keptForReplay = async (
  world: Forwarding,
  { claimed, message: { body } }: Prepared,
): Promise<KeepAnswer | null> => {
  if (body.encoding === 'pointer') return { kind: 'kept', at: body.at }
  return claimed.bodyAt === null && claimed.source.retain === 'none' ? null : keptOnce(world, claimed)
}

/**
 * Who woke up late may have claimed long after the claim's place in the listing, which recovery has gone by: from the end of the listing
 * recovery sees it. Not before others are sent, whose lease may pass meanwhile.
 */
export const leaveToRecovery = async (
  { events, now }: Forwarding,
  { record }: Claimed,
  because: Ending<'unavailable'>,
): Promise<Ending<'unavailable'>> => {
  if (because.reason !== 'lease-passed') return because
  const at = now()
  await events.takeOver(record, { fence: record.fence, now: at, leaseUntil: at })
  return because
}

/** Nothing was enqueued, for certain: the lease ends now, so the sender's next try need not wait for it. */
const giveUp = async (
  world: Forwarding,
  claimed: Claimed,
  because: Ending<'unavailable'>,
): Promise<Ending<'unavailable'>> => {
  await world.events.release(claimed.record, world.now(), because.cause)
  return because
}
