import { randomUUID } from 'node:crypto'
import { RECEIVE_LEASE_MS } from '../contract/limits.ts'
import { type Fence, millis } from '../domain/brands.ts'
import type { Clock, FenceMaker, Pause } from '../domain/ports.ts'

export const systemClock: Clock = () => millis(Date.now())

export const systemPause: Pause = span => new Promise(resolve => void setTimeout(resolve, span))

/** Without Node's store of random bytes: two processes woken from one snapshot would draw the same fences from it. */
export const randomFence: FenceMaker = () => randomUUID({ disableEntropyCache: true }) as Fence

export const systemRandom = (): number => Math.random()

/** Not console.log: Lambda's JSON log format would wrap the line, and CloudWatch would no longer see the metrics in it. */
export const writeLine = (line: string): void => void process.stdout.write(line)

/** What whoever claims, takes over and waits is made with. */
export const systemWorld = {
  now: systemClock,
  newFence: randomFence,
  pause: systemPause,
  leaseMillis: millis(RECEIVE_LEASE_MS),
} as const
