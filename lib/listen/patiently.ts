import { setTimeout as sleep } from 'node:timers/promises'
import { isRefusal } from '../connect/refusal.ts'
import { runningInstance } from '../connect/running-instance.ts'
import { explainFault, isPassing } from '../operator/explain-fault.ts'
import type { Listening } from './listening.ts'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/** A laptop that wakes has no network for a while. `undefined`: we were asked to end. */
export const patiently = async <Value>(
  ask: () => Promise<Value>,
  { connection, signal, tell }: Pick<Listening, 'connection' | 'signal' | 'tell'>,
): Promise<Value | undefined> => {
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await ask()
    } catch (error) {
      const over = connection.kind === 'local' && isRefusal(runningInstance())
      if (over || !isPassing(error)) throw error
      if (wait === FIRST_WAIT_MS) tell(`${explainFault(error) ?? (error as Error).message} Trying again.`)
      await sleep(wait, undefined, { signal }).catch(() => undefined)
    }
  }
  return undefined
}
