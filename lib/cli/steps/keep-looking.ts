import type { Connection } from '../../connect/connection.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { runningInstance } from '../../connect/running-instance.ts'
import { endSignal } from '../../terminal/end-signal.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** Looks until Ctrl-C, until nobody reads any more, or until there is nothing left to look at. */
export const keepLooking = async (
  { kind }: Connection,
  terminal: Terminal,
  look: (signal: AbortSignal) => Promise<void>,
): Promise<number | Refusal> => {
  const { signal, ignore } = endSignal()
  try {
    await look(AbortSignal.any([signal, terminal.closed]))
    return 0
  } catch (error) {
    if (kind === 'local' && isRefusal(runningInstance())) return refuse('The local instance has ended.')
    throw error
  } finally {
    ignore()
  }
}
