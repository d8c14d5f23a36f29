import { eventReads } from '../../functions/adapters/dynamodb-listing.ts'
import { isOver, type Status } from '../../functions/contract/status.ts'
import { toSeconds } from '../../functions/domain/brands.ts'
import { copyId } from '../../functions/domain/copies.ts'
import { asSeen } from '../../functions/domain/copies-of.ts'
import { type EventRecord, isExpired } from '../../functions/domain/record.ts'
import type { Mode, SimEvent } from './actors.ts'
import { isTooLong } from './ingredients.ts'
import type { Rig } from './rig.ts'
import { NAMES } from './watch-writes.ts'

export interface Copy {
  readonly destination: string
  readonly record: EventRecord
}

/** The copies of an event with several destinations that is done: none is missing, and the event is seen as they are. */
export const judgeCopies = async (rig: Rig, event: EventRecord): Promise<readonly Copy[]> => {
  const { ledger, records, ingredients, aws, timeline } = rig
  const copies: Copy[] = []
  for (const destination of event.to) {
    const id = copyId(event.fingerprint, destination)
    const record = records.get(id)
    const isForgotten =
      ledger.forgotten.has(id) ||
      (ledger.erased.has(id) && isTooLong(ingredients)) ||
      (record === undefined && livedElsewhere(rig, event))
    ledger.check(
      'S16 an event that is done has a copy for each destination, of its own generation',
      isForgotten || isMadeBy(rig, event, record),
      () => `${event.eventId} for ${destination}: ${record?.status} made by ${record?.madeBy} of ${event.generation}`,
    )
    if (record && !isForgotten) copies.push({ destination, record })
  }
  const reads = eventReads(aws.aws, NAMES)
  const [seen] = await asSeen(reads, [event], timeline.now)
  const expected = statusOf(copies.map(({ record }) => record.status))
  ledger.check(
    'S16 an event with several destinations is seen as its copies are',
    copies.length < event.to.length || seen?.status === expected || copies.some(({ record }) => isPast(rig, record)),
    () => `${event.eventId} is seen as ${seen?.status}, and is ${expected}`,
  )
  return copies
}

/**
 * Deleted by hand, and sent again when its route led elsewhere: a message of its first life may have ended the second, with what that
 * handler did. A known limit (docs/guarantees.md).
 */
export const livedElsewhere = ({ ledger }: Rig, { fingerprint, to }: EventRecord): boolean =>
  ledger.erased.has(fingerprint) && [...(ledger.sentTo.get(fingerprint) ?? [])].some(sent => sent !== String(to))

/** A generation that failed may have made it: it is made anew by the next edition. Made again from a message, after somebody deleted it, it says what the message does. */
const isMadeBy = ({ ledger }: Rig, event: EventRecord, copy: EventRecord | undefined): boolean =>
  copy !== undefined &&
  (((copy.madeBy === event.generation || (copy.madeIn ?? 0) === event.edition) &&
    copy.firstSeenAt === event.firstSeenAt) ||
    ledger.erased.has(copy.fingerprint) ||
    ledger.erased.has(event.fingerprint))

const isPast = ({ timeline }: Rig, record: EventRecord): boolean => isExpired(record, toSeconds(timeline.now))

const statusOf = (statuses: readonly Status[]): Status | 'open' => {
  if (statuses.includes('failed')) return 'failed'
  if (!statuses.every(isOver)) return 'open'
  return statuses.includes('done') ? 'done' : 'ignored'
}

const HOUR = 3_600_000

/** A day without one destination is no concern of the others. */
export const judgeDelay = (rig: Rig, { eventId, fingerprint }: EventRecord, { destination, record }: Copy): void => {
  const { ingredients, ledger, faultsEnd, isRolledBack } = rig
  const { destinationOut, outage, workersAway, pauses } = ingredients
  const isOther = destinationOut !== undefined && destinationOut.destination !== destination
  const hasTrouble = outage || workersAway || pauses || isRolledBack || record.generation > 0
  const isErased = ledger.erased.has(fingerprint) || ledger.erased.has(record.fingerprint)
  // What fails takes all the time that its tries have.
  if (!isOther || hasTrouble || isErased || record.status === 'failed') return
  ledger.check(
    'S16 a destination that is away delays no other',
    record.updatedAt < Math.max(record.claimedAt, faultsEnd) + HOUR,
    () => `${eventId} for ${destination} took ${record.updatedAt - record.claimedAt} ms`,
  )
}

/** What the code of a destination does with an event. */
export const modeAt = ({ mode, atCrm = mode }: SimEvent, destination: string | undefined): Mode =>
  destination === 'crm' ? atCrm : mode
