import { millis } from '../domain/brands.ts'
import type { World } from '../domain/world.ts'

/** How long an acknowledgement waits for a copy that only a replay needs, once its message is on the queue. */
const PATIENCE = millis(1_000)

export interface Patience {
  /** What a promise comes to, or `undefined` if that takes too long. */
  wait<Value>(promise: Promise<Value>): Promise<Value | undefined>
  isOver(): boolean
}

/** One for all that wait together: it begins with the first of them. */
export const patienceOf = (world: World<'pause'>): Patience => {
  let over = false
  let ending: Promise<undefined> | undefined
  const end = (): undefined => {
    over = true
  }
  return {
    isOver: () => over,
    async wait<Value>(promise: Promise<Value>) {
      // Mostly it is there already, and needs no timer.
      const there = await Promise.race<Value | typeof NOT_YET>([promise, NOT_YET])
      if (there !== NOT_YET) return there
      ending ??= world.pause(PATIENCE).then(end)
      return Promise.race([promise, ending])
    },
  }
}

const NOT_YET: unique symbol = Symbol('not yet')
