import type { Message } from '../contract/message.ts'
import { isOver } from '../contract/status.ts'
import type { Fingerprint } from '../domain/brands.ts'
import type { EventReads, KeyStore, Superseded, Unavailable } from '../domain/ports.ts'
import { type Malformed, type ReadMessage, readMessage } from '../domain/read-message.ts'
import { clip, type EventRecord } from '../domain/record.ts'
import { WORKER_ALONE } from '../domain/route.ts'
import { checkSeal } from '../domain/seal.ts'
import type { World } from '../domain/world.ts'
import { isDamaged } from './open-body.ts'

/** To tell our own messages from those that somebody else put on the queue. */
export interface Authenticating extends World<'keptBodies' | 'now'> {
  readonly secrets: KeyStore
  readonly records: Pick<EventReads, 'read'>
}

/** Not a message, or not one of ours. */
export interface Unread {
  readonly kind: 'malformed' | 'forged'
  readonly why: string
  /** What it says as far as we know messages, if a later release of ours wrote it; else null. */
  readonly ours: Message | null
  /** One of our functions wrote it. */
  readonly isOurs: boolean
  /** It says that a later release wrote it, which anybody could say. */
  readonly isLater: boolean
}

type Read = Extract<ReadMessage, { kind: 'read' }>

/** `superseded`: it may be of an older version of ours, but its event has gone on. Nothing of it is used. */
export type Authenticated = Read | Superseded | Unread | Unavailable

/** A message counts if one of our functions wrote it, which its MAC tells. An older version wrote none: then its record has to tell. */
export const authenticate = async (world: Authenticating, text: string): Promise<Authenticated> => {
  const read = readMessage(text)
  const key = await world.secrets.fingerprintKey()
  if ('kind' in key) return key
  const seal = checkSeal(key, text)
  if (read.kind === 'malformed') return unread(world, read, seal === 'ours')
  switch (seal) {
    case 'ours':
      return read
    case 'forged':
      return forged('its MAC is wrong')
    case 'unsealed':
      return unsealed(read, await onRecord(world, read.message))
  }
}

const unsealed = (read: Read, found: 'same' | 'superseded' | 'other'): Authenticated => {
  if (found === 'superseded') return { kind: 'superseded' }
  return found === 'same' ? read : forged('no MAC, and not as on record')
}

export const forged = (why: string): Unread => ({ kind: 'forged', why, ours: null, isOurs: false, isLater: false })

/** Without our MAC nobody is to believe what it says. A body that we cannot open may be one that its own release can. */
const unread = async (
  { keptBodies, now }: Authenticating,
  { kind, why, later }: Malformed,
  isOurs: boolean,
): Promise<Unread> => {
  const ours = isOurs && later && !(await isDamaged(keptBodies, later, now())) ? later : null
  return { kind, why, ours, isOurs, isLater: later !== undefined }
}

/** One of an earlier generation is superseded, whatever else it says. Who claimed a record with `mac` has written no message without one. */
const onRecord = async (
  { records, now }: Authenticating,
  message: Message,
): Promise<'same' | 'superseded' | 'other'> => {
  const known = await records.read(message.id as Fingerprint, now())
  if (known === undefined) return 'other'
  if (known.generation > message.generation) return 'superseded'
  return !known.mac && isSame(known, message) ? 'same' : 'other'
}

/** All that both of them hold and that nobody changes on the way. */
const isSame = (known: EventRecord, message: Message): boolean =>
  known.generation === message.generation &&
  known.edition === message.edition &&
  known.bodySha256 === message.body.sha256 &&
  (message.body.encoding !== 'pointer' || known.bodyAt === null || known.bodyAt === message.body.at) &&
  known.source === message.source &&
  known.to.join() === (message.to ?? WORKER_ALONE).join() &&
  known.eventId === clip('eventId', message.eventId) &&
  clipped(known.type) === clipped(message.type) &&
  known.copyOf === (message.copyOf ?? null) &&
  known.madeBy === (message.madeBy ?? null) &&
  // One that ends sooner would have it fail as too late. The record of an event that failed lives longer than its message.
  (known.expiresAt <= message.expiresAt || isOver(known.status))

const clipped = (type: string | null): string | null => type && clip('type', type)
