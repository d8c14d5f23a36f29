import { isOver } from '../../functions/contract/status.ts'
import { iso, type Millis, millis } from '../../functions/domain/brands.ts'
import { copiesOf, statusWith, withoutSeen } from '../../functions/domain/copies-of.ts'
import type { EventReads } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { LONGEST_MEMORY_MS } from '../../functions/operate/start-job.ts'
import { walk } from '../../functions/operate/walk.ts'

export interface EraseFilter {
  readonly source: string
  /** First seen before. */
  readonly before: Millis
}

export type ErasePlan = Readonly<Awaited<ReturnType<typeof planErase>>>

const PAGE = 500

/** A dry run: what would be erased at this moment. Reads, and changes nothing. */
export const planErase = async (
  events: Pick<EventReads, 'list' | 'read'>,
  { source, before }: EraseFilter,
  now: Millis,
) => {
  const counts = {
    /** Over, and not erased yet: these would be erased. */
    count: 0,
    alreadyErased: 0,
    /** These would be refused. */
    inFlight: 0,
  }
  let oldest = Number.POSITIVE_INFINITY
  let newest = 0
  const stretch = { from: millis(now - LONGEST_MEMORY_MS), until: now, now, page: PAGE, copies: true }
  for await (const { records } of walk(events, stretch)) {
    const found = records.filter(each => each.source === source && each.firstSeenAt < before)
    for (const record of await withoutSeen(events, found, now)) {
      const what = await whatOf(events, record, now)
      counts[what] += 1
      if (what !== 'count') continue
      oldest = Math.min(oldest, record.firstSeenAt)
      newest = Math.max(newest, record.firstSeenAt)
    }
  }
  const seen = (at: number): string | null => (counts.count === 0 ? null : iso(millis(at)))
  return { ...counts, oldest: seen(oldest), newest: seen(newest) }
}

const whatOf = async (
  events: Pick<EventReads, 'read'>,
  record: EventRecord,
  now: Millis,
): Promise<'count' | 'alreadyErased' | 'inFlight'> => {
  if (record.erasedAt !== undefined) return 'alreadyErased'
  return isOver(statusWith(record, await copiesOf(events, record, now))) ? 'count' : 'inFlight'
}
