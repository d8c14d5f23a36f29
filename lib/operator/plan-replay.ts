import { isOver as isOverStatus, type Over } from '../../functions/contract/status.ts'
import { iso, type Millis } from '../../functions/domain/brands.ts'
import type { EventReads } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { walk } from './walk.ts'

export interface ReplayFilter {
  readonly source?: string | undefined
  /** @default both */
  readonly status?: Over | undefined
  readonly type?: string | undefined
  /** Claimed at or after. */
  readonly from: Millis
  /** Claimed before. */
  readonly until: Millis
}

export interface ReplayPlan {
  /** Done or failed: these would be replayed. */
  readonly count: number
  readonly done: number
  readonly failed: number
  /** Match besides, and are in flight: these would be left alone. */
  readonly inFlight: number
  /** Without a kept body: counted in `count`, and refused when their turn comes. */
  readonly withoutBody: number
  readonly oldest: string | null
  readonly newest: string | null
}

const PAGE = 500

/** A dry run: what a filter matches at this moment. Reads, and changes nothing. */
export const planReplay = async (
  events: Pick<EventReads, 'list'>,
  filter: ReplayFilter,
  now: Millis,
): Promise<ReplayPlan> => {
  const plan = { count: 0, done: 0, failed: 0, inFlight: 0, withoutBody: 0 }
  let newest: EventRecord | undefined
  let oldest: EventRecord | undefined
  for await (const { records } of walk(events, { ...filter, now, page: PAGE })) {
    for (const record of records.filter(each => isMeant(each, filter))) {
      if (!isOver(record)) {
        plan.inFlight += 1
        continue
      }
      plan.count += 1
      plan[record.status] += 1
      if (record.bodyAt === null) plan.withoutBody += 1
      newest ??= record
      oldest = record
    }
  }
  return { ...plan, newest: newest ? iso(newest.claimedAt) : null, oldest: oldest ? iso(oldest.claimedAt) : null }
}

type OverRecord = EventRecord & { readonly status: Over }

export const isOver = (record: EventRecord): record is OverRecord => isOverStatus(record.status)

/** Whatever its status, unless the filter names one. */
export const isMeant = (
  record: EventRecord,
  { source, status, type }: Pick<ReplayFilter, 'source' | 'status' | 'type'>,
): boolean =>
  (source === undefined || record.source === source) &&
  (type === undefined || record.type === type) &&
  (status === undefined || record.status === status)
