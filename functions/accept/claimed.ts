import type { Claimed, Kept } from '../domain/evidence.ts'
import type { EventRecord } from '../domain/record.ts'

/** The only maker of a `Claimed`: whoever calls it holds the answer of a store that the record is now ours. */
export const claimed = (event: Kept, record: EventRecord, how: Claimed['how']): Claimed =>
  ({ ...event, record, how }) as Claimed
