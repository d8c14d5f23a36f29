import { RECEIVE_LEASE_MS, RECOVER_EVERY_SECONDS } from '../../../functions/contract/limits.ts'
import { spanWords } from '../../catalogue/span-words.ts'
import { type Check, fine } from './finding.ts'

/** An event is looked at its lease and two minutes after its claim, and recovery runs every minute: what is over that is lag. */
const ALWAYS_BEHIND_MS = RECEIVE_LEASE_MS + 120_000 + RECOVER_EVERY_SECONDS * 1_000
/** As the alarm RecoveryLag. */
const TOO_FAR_MS = 300_000

/** The cursor that recovery moves forward with every run. */
export const checkRecovery: Check = async ({ connection }) => {
  const cursor = await connection.stores.recovery.cursor('abandoned')
  if (cursor === undefined) {
    return [
      {
        level: 'warning',
        subject: null,
        says: 'recovery has not run yet. It runs every minute: look again in two',
        fix: 'docs/runbook.md#recoverystopped',
      },
    ]
  }
  const behind = connection.now() - Date.parse(cursor.slice(0, cursor.indexOf('#'))) - ALWAYS_BEHIND_MS
  if (behind < TOO_FAR_MS) return [fine('recovery runs')]
  return [
    {
      level: 'wrong',
      subject: null,
      says: `recovery is ${spanWords(Math.round(behind / 60_000) * 60)} behind: it does not run, or a service that it needs does not answer. Until it runs, an event whose receiver died waits for its sender`,
      fix: 'docs/runbook.md#recoverylag',
    },
  ]
}
