import { randomFillSync } from 'node:crypto'
import { RECEIVE_LEASE_MS } from '../contract/limits.ts'
import { type Fence, millis } from '../domain/brands.ts'
import type { Clock, FenceMaker, Pause } from '../domain/ports.ts'

export const systemClock: Clock = () => millis(Date.now())

export const systemPause: Pause = span => new Promise(resolve => void setTimeout(resolve, span))

/**
 * Sixteen are drawn at a time, since a draw takes as long for one: it was a twentieth of our own part of a duplicate. Not Node's own store of
 * random bytes, which does not grow old: two processes woken from one snapshot would draw the same fences from it.
 */
export const fencesFrom = (now: () => number, draw: (bytes: number) => string): FenceMaker => {
  let hex = ''
  let drawnAt = 0
  return () => {
    const at = now()
    if (hex === '' || at < drawnAt || at >= drawnAt + FRESH_FOR_MS) {
      hex = draw(16 * FENCE_BYTES)
      drawnAt = at
    }
    const fence = hex.slice(-2 * FENCE_BYTES)
    hex = hex.slice(0, -2 * FENCE_BYTES)
    return fence as Fence
  }
}

const FENCE_BYTES = 16
const FRESH_FOR_MS = 1_000

export const randomFence = fencesFrom(Date.now, bytes => randomFillSync(Buffer.allocUnsafe(bytes)).toString('hex'))

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
