import { listingPosition } from '../../functions/contract/tables.ts'
import { iso, type Millis, millis } from '../../functions/domain/brands.ts'
import { asSeen } from '../../functions/domain/copies-of.ts'
import type { EventReads } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { eventView } from '../operator/event-view.ts'
import { isWanted, type ListedEvent, type Wanted } from './wanted.ts'

export interface Found {
  readonly events: readonly ListedEvent[]
  /** Where to go on; null at the end. */
  readonly next: string | null
  /** How far back was looked, when the search paused before it had enough. */
  readonly searchedTo: string | null
}

export interface Search extends Wanted {
  readonly limit: number
  readonly now: Millis
  readonly from: Millis
  readonly after: string | null
}

const STEP = 500
/** A request stays short whatever is sought: a second or so on a laptop, and some 1,000 read units in AWS. */
const MOST_READ = 2_000
/** Looked at first: each day is sixteen queries, and a month of quiet ones would keep the newest events waiting. */
const FIRST_LOOK_MS = 86_400_000

/** One page, newest first. Nothing is indexed but time, so a rare thing is sought in steps that the page asks for. */
export const findEvents = async (store: Pick<EventReads, 'list' | 'read'>, search: Search): Promise<Found> => {
  const { limit, now } = search
  const from = search.after === null ? millis(Math.max(search.from, now - FIRST_LOOK_MS)) : search.from
  const { found, after, last } = await walk(store, search, from)
  const events = found.slice(0, limit)
  const cut = found.length > limit ? events.at(-1) : undefined
  const rest = after ?? (from > search.from ? listingPosition(from, '0') : null)
  const next = cut ? listingPosition(cut.claimedAt, cut.fingerprint) : rest
  const paused = after !== null && events.length < limit
  return { events: events.map(listed), next, searchedTo: paused && last ? iso(last.claimedAt) : null }
}

/** Until there are enough, until the end, or until enough was read. */
const walk = async (store: Pick<EventReads, 'list' | 'read'>, search: Search, from: Millis) => {
  const { limit, now } = search
  const step = isAnything(search) ? limit : STEP
  const found: EventRecord[] = []
  let [after, read, last]: [string | null, number, EventRecord | undefined] = [search.after, 0, undefined]
  do {
    const page = await store.list({ limit: step, now, from, ...(after !== null && { after }) })
    const seen = await asSeen(store, page.records, now)
    found.push(...seen.filter(record => isWanted(listed(record), search)))
    last = page.records.at(-1) ?? last
    read += step
    after = page.next
  } while (after !== null && found.length < limit && read < MOST_READ)
  return { found, after, last }
}

const isAnything = ({ source, status, type, destination, q }: Wanted): boolean =>
  source + status + type + destination + q === ''

export const listed = (record: EventRecord): ListedEvent => ({
  ...eventView(record),
  claimedAt: iso(record.claimedAt),
  destinations: record.to,
})
