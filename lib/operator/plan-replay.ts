import { iso, type Millis } from '../../functions/domain/brands.ts'
import { asSeen } from '../../functions/domain/copies-of.ts'
import type { EventReads } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { isMeant, isOver, type ReplayFilter } from '../../functions/operate/replay-filter.ts'
import { walk } from '../../functions/operate/walk.ts'

export type ReplayPlan = Readonly<Awaited<ReturnType<typeof planReplay>>>

const PAGE = 500

/** A dry run: what a filter matches at this moment. Reads, and changes nothing. */
export const planReplay = async (events: Pick<EventReads, 'list' | 'read'>, filter: ReplayFilter, now: Millis) => {
  const plan = {
    /** Over: these would be replayed. */
    count: 0,
    done: 0,
    failed: 0,
    ignored: 0,
    /** Match besides, and are in flight: these would be left alone. */
    inFlight: 0,
    /** Without a kept body, or erased: counted in `count`, and refused when their turn comes. */
    withoutBody: 0,
  }
  let newest: EventRecord | undefined
  let oldest: EventRecord | undefined
  for await (const { records } of walk(events, { ...filter, now, page: PAGE })) {
    for (const record of (await asSeen(events, records, now)).filter(each => isMeant(each, filter))) {
      if (!isOver(record)) {
        plan.inFlight += 1
        continue
      }
      plan.count += 1
      plan[record.status] += 1
      if (record.bodyAt === null || record.erasedAt !== undefined) plan.withoutBody += 1
      newest ??= record
      oldest = record
    }
  }
  return { ...plan, newest: newest ? iso(newest.claimedAt) : null, oldest: oldest ? iso(oldest.claimedAt) : null }
}
