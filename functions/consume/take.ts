import { type Millis, millis, plus } from '../domain/brands.ts'
import type { TakeAnswer } from '../domain/work.ts'
import type { Consuming } from '../domain/world.ts'
import { type Incoming, impliedRecord } from './incoming.ts'

/** Two hosts' clocks may differ by this much: a lease outlives its function by it. */
const CLOCK_SKEW = millis(5_000)

/** One conditional write makes this attempt the owner of the event for as long as the function can still run. */
export const take = (world: Consuming, incoming: Incoming, remaining: Millis): Promise<TakeAnswer> => {
  const now = world.now()
  const leaseUntil = plus(plus(now, remaining), CLOCK_SKEW)
  return world.work.take(impliedRecord(incoming, world.newFence(), now, leaseUntil), now)
}
