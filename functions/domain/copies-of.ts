import type { Status } from '../contract/status.ts'
import type { Millis } from './brands.ts'
import { copyId, hasCopies } from './copies.ts'
import type { EventReads } from './ports.ts'
import type { EventRecord } from './record.ts'

/** The copies of an event, in the order of its destinations. One that is not made yet, or is forgotten, is left out. */
export const copiesOf = async (
  records: Pick<EventReads, 'read'>,
  event: EventRecord,
  now: Millis,
): Promise<readonly EventRecord[]> => {
  if (!hasCopies(event)) return []
  const found = await Promise.all(event.to.map(to => records.read(copyId(event.fingerprint, to), now)))
  return found.filter(copy => copy?.firstSeenAt === event.firstSeenAt) as EventRecord[]
}

/** What people see of an event with several destinations: done when all copies are, failed when one is. It is never written. */
export const statusWith = (event: EventRecord, copies: readonly EventRecord[]): Status => {
  if (event.status !== 'done' || copies.length === 0) return event.status
  const is = (status: Status) => copies.some(copy => copy.status === status)
  if (is('failed')) return 'failed'
  if (is('working')) return 'working'
  if (is('queued') || is('claimed')) return 'queued'
  return is('done') ? 'done' : 'ignored'
}

/** Without the copies whose event is there too: those are seen with it. */
export const withoutSeen = async (
  records: Pick<EventReads, 'read'>,
  found: readonly EventRecord[],
  now: Millis,
): Promise<readonly EventRecord[]> => {
  const events = await Promise.all(found.map(({ copyOf }) => copyOf && records.read(copyOf, now)))
  return found.filter((_, index) => !events[index])
}

/** The same events, each with the status that people see. */
export const asSeen = (
  records: Pick<EventReads, 'read'>,
  events: readonly EventRecord[],
  now: Millis,
): Promise<readonly EventRecord[]> =>
  Promise.all(
    events.map(async event =>
      hasCopies(event) ? { ...event, status: statusWith(event, await copiesOf(records, event, now)) } : event,
    ),
  )
