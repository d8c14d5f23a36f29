import { RECEIVE_LEASE_MS, RECOVER_EVERY_SECONDS } from '../../../functions/contract/limits.ts'
import { ALL_SOURCES } from '../../../functions/contract/metrics.ts'
import { millis } from '../../../functions/domain/brands.ts'
import { spanWords } from '../../catalogue/span-words.ts'
import type { Connection } from '../../connect/connection.ts'
import { countsOf } from '../../connect/counts-of.ts'
import { sumOf } from '../../operator/counts.ts'
import { type Check, type Found, fine, warning, wrong } from './finding.ts'

/** An event is looked at its lease and two minutes after its claim, and recovery runs every minute: what is over that is lag. */
const ALWAYS_BEHIND_MS = RECEIVE_LEASE_MS + 120_000 + RECOVER_EVERY_SECONDS * 1_000
/** As the alarm RecoveryLag. */
const TOO_FAR_MS = 300_000

/** Longer than recovery waits until it looks again at an event whose body it could not read. */
const LOOKED_AGAIN_MS = 600_000

/** The cursor that recovery moves forward with every run, and what it had to leave behind. */
export const checkRecovery: Check = async ({ connection }) => [
  ...(await checkCursor(connection)),
  ...(await checkUnreadable(connection)),
]

const checkUnreadable = async (connection: Connection): Promise<readonly Found[]> => {
  const until = connection.now()
  const asked = { sources: [ALL_SOURCES], metrics: ['Unreadable'], until } as const
  const counts = await countsOf(connection, { ...asked, from: millis(until - LOOKED_AGAIN_MS) })
  if (sumOf(counts, ALL_SOURCES, 'Unreadable') === 0) return []
  return [
    wrong(
      'the body of an abandoned event cannot be read: its key or a permission is gone, or it is damaged. Its record says why',
      'docs/runbook.md#unreadable',
      'bodies',
    ),
  ]
}

const checkCursor = async (connection: Connection): Promise<readonly Found[]> => {
  const cursor = await connection.stores.recovery.cursor('abandoned')
  if (cursor === undefined) {
    const says = 'recovery has not run yet. It runs every minute: look again in two minutes'
    return [warning(says, 'docs/runbook.md#recoverystopped')]
  }
  const behind =
    connection.now() - Date.parse(cursor.position.slice(0, cursor.position.indexOf('#'))) - ALWAYS_BEHIND_MS
  if (behind < TOO_FAR_MS) return [fine('recovery runs')]
  const says = `recovery is ${spanWords(behind / 1_000)} behind: it does not run, or a service that it needs does not answer. Until it runs, an event whose receiver died waits for its sender`
  return [wrong(says, 'docs/runbook.md#recoverylag')]
}
