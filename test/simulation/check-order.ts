import { isOver, type Status } from '../../functions/contract/status.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Check } from './check-times.ts'

/** What was written follows what was there. */
export const checkOrder = (check: Check, before: EventRecord, after: EventRecord, name: string): void => {
  check(
    'S4 a generation never decreases',
    after.generation >= before.generation,
    () => `${name}: ${before.generation} -> ${after.generation}`,
  )
  if (after.generation === before.generation) {
    check(
      'S4 a status never goes back within a generation',
      RANK[after.status] >= RANK[before.status] &&
        !(before.status === 'done' && after.status !== 'done') &&
        !(before.status === 'failed' && after.status !== 'failed') &&
        !(before.status === 'ignored' && after.status !== 'ignored'),
      () => `${name}: ${before.status} -> ${after.status}`,
    )
  } else {
    check(
      'S4 a new generation follows a finished one, or an abandoned claim',
      isOver(before.status) || (before.status === 'claimed' && before.leaseUntil <= after.updatedAt),
      () => `${name}: generation ${after.generation} after ${before.status}`,
    )
  }
  check(
    'the first sight of an event stays',
    // Copies of an event that was forgotten, and came again, are of its new life.
    after.firstSeenAt === before.firstSeenAt || name === 'beginAnew',
    () => `${name} changed firstSeenAt`,
  )
}

const RANK: Record<Status, number> = { claimed: 0, queued: 1, working: 2, done: 3, failed: 3, ignored: 3 }
