import { type Millis, millis } from '../domain/brands.ts'
import type { CompareAnswer, CompareOrder } from '../operate/compare-sent.ts'
import type { Memory } from './memory.ts'

const HOUR_MS = 3_600_000

/** A call that is made only if the sender has not asked us to wait, and has calls left for us in this hour. */
export const spareSender = (
  compare: (order: CompareOrder) => Promise<CompareAnswer>,
  { memory, sender, callsPerHour, now }: Sparing,
): ((order: CompareOrder) => Promise<CompareAnswer>) => {
  return async order => {
    const wait = waitOf(memory, sender, callsPerHour, now())
    if (wait) return wait
    const answer = await compare(order)
    const fault = answer.kind === 'compared' ? answer.left : answer
    const known = memory.state().senders[sender]
    if (fault?.kind === 'wait' && known) {
      memory.note({ senders: { [sender]: { ...known, notBefore: millis(now() + fault.seconds * 1000) } } })
    }
    return answer
  }
}

export interface Sparing {
  readonly memory: Memory
  readonly sender: string
  readonly callsPerHour: number
  readonly now: () => Millis
}

const waitOf = (memory: Memory, sender: string, callsPerHour: number, now: Millis) => {
  const known = memory.state().senders[sender]
  if (!known) return undefined
  if (now < known.notBefore) return waiting(known.notBefore - now, 'The sender asked us to slow down')
  const isSpent = now - known.hour < HOUR_MS && known.calls >= callsPerHour
  return isSpent ? waiting(known.hour + HOUR_MS - now, `${callsPerHour} calls were made in this hour`) : undefined
}

const waiting = (span: number, why: string) => ({ kind: 'wait', seconds: Math.ceil(span / 1000), why }) as const
