import type { Status } from '../../functions/contract/status.ts'
import { listingPosition } from '../../functions/contract/tables.ts'
import type { Millis } from '../../functions/domain/brands.ts'
import { asSeen } from '../../functions/domain/copies-of.ts'
import type { EventReads } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { matchesType } from '../../functions/domain/route.ts'
import { type EventView, eventView } from './event-view.ts'

export interface Query {
  readonly limit: number
  readonly now: Millis
  /** Claimed at or after. */
  readonly from: Millis
  /** Claimed before. */
  readonly until?: Millis | undefined
  readonly source?: string | undefined
  readonly status?: Status | undefined
  /** `*` for any run of characters. */
  readonly type?: string | undefined
  readonly destination?: string | undefined
  /** The sender's own id. */
  readonly eventId?: string | undefined
  /** The `next` of the page before. */
  readonly after?: string | undefined
}

export interface EventPage {
  readonly events: readonly EventView[]
  readonly next: string | null
}

/** Newest first. The index knows times and nothing else, so a filter reads pages until it has enough. */
export const list = async (store: Pick<EventReads, 'list' | 'read'>, query: Query): Promise<EventPage> => {
  const { limit, now, from, until, after } = query
  const found: EventRecord[] = []
  let next: string | null = after ?? (until === undefined ? null : listingPosition(until, ''))
  do {
    const page = await store.list({ limit: pageSize(query), now, from, ...(next !== null && { after: next }) })
    const seen = await asSeen(store, page.records, now)
    found.push(...seen.filter(record => matches(record, query)))
    next = page.next
  } while (next !== null && found.length < limit)
  const events = found.slice(0, limit)
  const last = events.at(-1)
  const more = found.length > limit && last ? listingPosition(last.claimedAt, last.fingerprint) : next
  return { events: events.map(eventView), next: more }
}

/** Whether it can be the `next` of a page: an instant that exists, and the beginning of a fingerprint. */
export const isCursor = (text: string): boolean => {
  const [, time = '', fingerprint = ''] = /^(.{24})#([0-9a-f]{1,16})$/.exec(text) ?? []
  const at = Date.parse(time)
  return !Number.isNaN(at) && listingPosition(at, fingerprint) === text
}

const FIELDS = ['source', 'status', 'eventId'] as const

/** What is rare is looked for in larger strides. */
const FILTERED_PAGE = 200

const pageSize = (query: Query): number =>
  [...FIELDS, 'type' as const, 'destination' as const].some(field => query[field] !== undefined)
    ? Math.max(query.limit, FILTERED_PAGE)
    : query.limit

/** What a list is narrowed to. */
export type Filter = Pick<Query, (typeof FIELDS)[number] | 'type' | 'destination'>

export const matches = (record: EventRecord, filter: Filter): boolean =>
  FIELDS.every(field => filter[field] === undefined || record[field] === filter[field]) &&
  (filter.type === undefined || matchesType(filter.type, record.type)) &&
  (filter.destination === undefined || record.to.includes(filter.destination))
