import type { QueueCalls } from '../../functions/adapters/wire/queue-calls.ts'
import type { MemoryQueues } from './queue.ts'

/** Resolves after so many milliseconds, or when the signal says so. */
export type Wait = (millis: number, signal: AbortSignal | undefined) => Promise<void>

/** How often a waiting receiver looks again. */
const LOOK_EVERY_MS = 50

/** Receives, and waits for a first message if it is told how to wait. */
export const waitingReceive =
  (calls: MemoryQueues['calls'], now: () => number, wait: Wait | undefined): QueueCalls['receiveMessages'] =>
  async (queueUrl, { waitSeconds, signal }) => {
    const end = now() + waitSeconds * 1000
    for (;;) {
      const received = calls.receiveMessages(queueUrl)
      const left = end - now()
      if (received.length > 0 || left <= 0 || !wait) return received
      await wait(Math.min(left, LOOK_EVERY_MS), signal)
      signal?.throwIfAborted()
    }
  }
