import type { Claimed } from '../domain/evidence.ts'
import { ended, type Outcome, parted } from '../domain/outcome.ts'
import { someAtOnce } from '../domain/some-at-once.ts'
import {
  concludeForwarding,
  type Forwarding,
  keptForReplay,
  leaveToRecovery,
  type Prepared,
  prepareForwarding,
} from './forward.ts'
import { patienceOf } from './patience.ts'
import { settle } from './settle.ts'

/** Writes at once: enough for a thousand events within a function's time. */
const AT_ONCE = 10

/** One event that cannot be forwarded does not keep the others back. */
export const forwardAll = async (
  world: Forwarding,
  claims: readonly Claimed[],
): Promise<readonly { readonly claimed: Claimed; readonly outcome: Outcome }[]> => {
  const steps = await someAtOnce(claims, AT_ONCE, claimed => prepareForwarding(world, claimed))
  const prepared = parted<Prepared>(steps).going
  const entries = prepared.map(({ message, claimed }) => ({ message, trace: claimed.trace }))
  const answers = prepared[0] ? await world.queue.sendBatch(entries, prepared[0].key) : []
  const sent = new Map(prepared.map((step, index) => [step, answers[index] ?? NOT_ANSWERED]))
  const patience = patienceOf(world)
  const outcomes = await someAtOnce(claims, AT_ONCE, async (claimed, index) => {
    const step = steps[index] as (typeof steps)[number]
    if (ended(step)) return leaveToRecovery(world, claimed, step)
    const keeping = patience.isOver() ? Promise.resolve(TOO_LATE) : keptForReplay(world, step)
    const forwarded = await concludeForwarding(world, step, sent.get(step) ?? NOT_ANSWERED, keeping, patience)
    return ended(forwarded) ? forwarded : settle(world, forwarded)
  })
  return claims.map((claimed, index) => ({ claimed, outcome: outcomes[index] as Outcome }))
}

const NOT_ANSWERED = { kind: 'unavailable', cause: 'the queue said nothing of this message' } as const

const TOO_LATE = { kind: 'unavailable', cause: 'the bodies before it took too long' } as const
