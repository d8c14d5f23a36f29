import type { EventRecord } from '../../functions/domain/record.ts'
import type { Process } from './faults.ts'

/** How many days at least an event is remembered after a write that says how long. What fails has no message any more. */
const REMEMBERED_DAYS: Readonly<Record<string, number>> = { claim: 14, reopen: 14, replay: 14, settle: 14, fail: 6 }

export type Check = (rule: string, holds: boolean, detail: () => string) => void

interface Written {
  readonly after: EventRecord
  /** By the writer's own clock. */
  readonly now: number
  /** The transition. */
  readonly name: string
  /** It makes its writer the owner. */
  readonly owning: boolean
  readonly process: Process
}

/** Every instant that a record names has its unit, and lies where it must. */
export const checkTimes = (check: Check, { after, now, name, owning, process }: Written): void => {
  check(
    'S10 expiry is in whole seconds, ahead, and outlives the message',
    Number.isInteger(after.expiresAt) &&
      after.expiresAt > now / 1000 + (REMEMBERED_DAYS[name] ?? 0) * 86_400 &&
      after.expiresAt < now / 1000 + 1_000 * 86_400,
    () => `${name} wrote expiresAt ${after.expiresAt} at ${now}`,
  )
  if (owning && after.status === 'claimed') {
    check(
      'S10 a lease outlives its function and the skew of clocks',
      after.leaseUntil - after.claimedAt >= 14_000,
      () => `${name} wrote a lease of ${after.leaseUntil - after.claimedAt} ms`,
    )
  }
  if (process.endsAt !== undefined && (name === 'take' || name === 'recreate')) {
    const endsAt = process.endsAt + process.skew
    check(
      'S10 a lease outlives its function and the skew of clocks',
      after.leaseUntil >= endsAt + 4_000,
      () => `${name} wrote a lease that ends ${after.leaseUntil - endsAt} ms after the function`,
    )
  }
  check(
    'S10 a lease ends within minutes',
    after.leaseUntil < now + 600_000,
    () => `${name} wrote leaseUntil ${after.leaseUntil} at ${now}`,
  )
}
