import type { Message } from '../contract/message.ts'
import { type Millis, millis, plus } from '../domain/brands.ts'
import { answered } from '../domain/fault.ts'
import type { Unavailable } from '../domain/ports.ts'
import type { TakeAnswer } from '../domain/work.ts'
import type { Consuming } from '../domain/world.ts'
import { impliedRecord } from './implied-record.ts'

/** Two hosts' clocks may differ by this much: a lease outlives its function by it. */
const CLOCK_SKEW = millis(5_000)

/** One conditional write makes this attempt the owner of the event for as long as the function can still run, and counts it. */
export const take = async (
  world: Consuming,
  message: Message,
  { remaining, signal }: { readonly remaining: Millis; readonly signal: AbortSignal },
): Promise<TakeAnswer> => {
  const now = world.now()
  const leaseUntil = plus(plus(now, remaining), CLOCK_SKEW)
  const implied = { ...impliedRecord(message, world.newFence(), now, leaseUntil), attempts: 1 }
  const giveBack = () => world.work.giveBack(implied, world.now())

  const taking = answered(world.work.take(implied, now, signal))
  const answer = await Promise.race([taking, outOfTime(signal)])
  if (answer.kind !== 'unavailable') return answer
  // It may have been written all the same, or may yet be, and the handler is not called.
  if (answer === NO_ANSWER) void taking.then(async late => late.kind === 'taken' && (await giveBack()))
  await giveBack()
  return answer
}

const NO_ANSWER: Unavailable = { kind: 'unavailable', cause: 'the event could not be taken in time' }

/** What is left of the time is for giving it back: a client's own patience can be longer than the function's. */
const outOfTime = (signal: AbortSignal): Promise<Unavailable> =>
  new Promise(resolve => signal.addEventListener('abort', () => resolve(NO_ANSWER), { once: true }))
