import { type EventRecord, isExpired } from '../../functions/domain/record.ts'
import type { Check } from './check-times.ts'

/** The writes that count an expired record as absent. */
const NOT_OF_EXPIRED: ReadonlySet<string> = new Set(['take', 'takeOver', 'reopen', 'replay', 'fail', 'park'])

/** What a transition may do only to a record that is as it should be. */
export const checkWrites = (
  check: Check,
  before: EventRecord,
  after: EventRecord,
  { name, seconds }: { readonly name: string; readonly seconds: EventRecord['expiresAt'] },
): void => {
  const said = (): string => `${name}: ${before.status} -> ${after.status}`
  if (NOT_OF_EXPIRED.has(name)) check('S11 an expired record counts as absent', !isExpired(before, seconds), said)
  if (name === 'report' || name === 'giveBack')
    check('only an attempt under way reports, or is given back', before.status === 'working', said)
  if (name === 'giveBack') check('a try is given back once', after.leaseUntil < before.leaseUntil, said)
  if (name === 'take') check('a take that is repeated counts one try', after.fence !== before.fence, said)
  if (name === 'noteBody') check('where a body is, once it is noted, stays', before.bodyAt === null, said)
}
