import type { Message } from '../contract/message.ts'
import { type Millis, millis, plus } from '../domain/brands.ts'
import type { TakeAnswer } from '../domain/work.ts'
import type { Consuming } from '../domain/world.ts'
import { impliedRecord } from './implied-record.ts'

/** Two hosts' clocks may differ by this much: a lease outlives its function by it. */
const CLOCK_SKEW = millis(5_000)

/** One conditional write makes this attempt the owner of the event for as long as the function can still run, and counts it. */
export const take = async (world: Consuming, message: Message, remaining: Millis): Promise<TakeAnswer> => {
  const now = world.now()
  const leaseUntil = plus(plus(now, remaining), CLOCK_SKEW)
  const implied = { ...impliedRecord(message, world.newFence(), now, leaseUntil), attempts: 1 }
  const answer = await world.work.take(implied, now)
  // It may have been written all the same, and the handler is not called.
  if (answer.kind === 'unavailable') await world.work.giveBack(implied, world.now())
  return answer
}
