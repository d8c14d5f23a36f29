import { plus, seconds, toSeconds } from '../domain/brands.ts'
import type { EventRecord } from '../domain/record.ts'
import { whyRemoved } from '../domain/removed.ts'
import type { EndAnswer } from '../domain/work.ts'
import type { World } from '../domain/world.ts'

const A_WEEK = seconds(7 * 86_400)

/** What is for a destination that was removed fails, and its record says so. */
export const failRemoved = (world: World<'failures' | 'now' | 'newFence'>, record: EventRecord): Promise<EndAnswer> => {
  const now = world.now()
  const { bodySha256, bodySize, bodyAt, to } = record
  const expiresAt = seconds(Math.max(record.expiresAt, plus(toSeconds(now), A_WEEK)))
  return world.failures.fail(
    record,
    { fence: world.newFence(), now, leaseUntil: now },
    { lastError: whyRemoved(to), bodySha256, bodySize, bodyAt, expiresAt },
  )
}
