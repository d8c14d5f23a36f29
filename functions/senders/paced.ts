import { millis } from '../domain/brands.ts'
import type { Pause } from '../domain/ports.ts'

/** Waits before each call but the first, so there are no more than so many a second. */
export const paced = (rate: number, pause: Pause): (() => Promise<void>) => {
  let called = false
  return async () => {
    if (called) await pause(millis(1000 / rate))
    called = true
  }
}
