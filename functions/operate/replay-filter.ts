import { isOver as isOverStatus, type Over } from '../contract/status.ts'
import type { Millis } from '../domain/brands.ts'
import type { EventRecord } from '../domain/record.ts'
import { matchesType } from '../domain/route.ts'

export interface ReplayFilter {
  readonly source?: string | undefined
  /** @default done and failed: what a handler had no use for is replayed only if asked for */
  readonly status?: Over | undefined
  /** `*` for any run of characters. */
  readonly type?: string | undefined
  /** Claimed at or after. */
  readonly from: Millis
  /** Claimed before. */
  readonly until: Millis
}

/** Of the status that the filter names, if it names one; else of any but `ignored`. */
export const isMeant = (
  record: EventRecord,
  { source, status, type }: Pick<ReplayFilter, 'source' | 'status' | 'type'>,
): boolean =>
  (source === undefined || record.source === source) &&
  (type === undefined || matchesType(type, record.type)) &&
  (status === undefined ? record.status !== 'ignored' : record.status === status)

type OverRecord = EventRecord & { readonly status: Over }

export const isOver = (record: EventRecord): record is OverRecord => isOverStatus(record.status)
