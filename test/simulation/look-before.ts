import { dynamodbRecovery } from '../../functions/adapters/dynamodb-recovery.ts'
import { QUEUE } from '../../functions/contract/queues.ts'
import { listingPosition } from '../../functions/contract/tables.ts'
import type { PassName } from '../../functions/domain/recovery.ts'
import type { MemoryAws } from '../../lib/memory-aws/memory-aws.ts'
import { NAMES } from './watch-writes.ts'

const HOUR = 3_600_000

/** How far behind the present each pass of recovery stands. */
const BEHIND = {
  abandoned: 3 * 60_000,
  late: HOUR,
  lost: QUEUE.retentionSeconds * 1000 + HOUR,
} as const satisfies Record<PassName, number>

/** Recovery has run before, and found nothing: its first run of all looks back for fourteen days, of which each takes calls. */
export const lookBefore = (aws: MemoryAws, now: number): void => {
  const { moveCursor } = dynamodbRecovery(aws.aws, NAMES)
  for (const [pass, behind] of Object.entries(BEHIND))
    void moveCursor(pass as PassName, listingPosition(now - behind, ''))
}
