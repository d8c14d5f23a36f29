import { type Ending, ended, type Outcome, parted } from '../domain/outcome.ts'
import { someAtOnce } from '../domain/some-at-once.ts'
import type { Claimed, Identified, Verified } from '../domain/stages.ts'
import { claim } from './claim.ts'
import { concludeForwarding, type Prepared, prepareForwarding } from './forward.ts'
import { identify } from './identify.ts'
import { keep } from './keep.ts'
import { settle } from './settle.ts'
import type { World } from './world.ts'

/** Claims and writes at once: enough for a thousand events within a function's time. */
const AT_ONCE = 10

/** The sentence for many events at once: each is claimed on its own, all are sent together, the sender is answered once. */
export const receiveBatch = async (world: World, parts: readonly Verified[]): Promise<Outcome> => {
  const identified = parted<Identified>(await someAtOnce(parts, AT_ONCE, part => identify(world, part)))
  const [refused] = identified.over
  if (refused) return refused

  const claims = parted<Claimed>(await someAtOnce(distinct(identified.going), AT_ONCE, event => own(world, event)))
  const forwarded = await forwardAll(world, claims.going)
  return answerOf([...claims.over, ...forwarded.map(({ outcome }) => outcome)])
}

/** A repeat inside the delivery is the same event, not a rival. */
const distinct = (events: readonly Identified[]): Identified[] => [
  ...new Map(events.map(event => [event.fingerprint, event])).values(),
]

const own = async (world: World, event: Identified): Promise<Claimed | Outcome> => {
  const kept = await keep(world, event)
  return ended(kept) ? kept : claim(world, kept)
}

/** One event that cannot be forwarded does not keep the others back. */
export const forwardAll = async (
  world: World,
  claims: readonly Claimed[],
): Promise<readonly { readonly claimed: Claimed; readonly outcome: Outcome }[]> => {
  const steps = await someAtOnce(claims, AT_ONCE, claimed => prepareForwarding(world, claimed))
  const prepared = parted<Prepared>(steps).going
  const entries = prepared.map(({ message, claimed }) => ({ message, trace: claimed.trace }))
  const answers = entries.length > 0 ? await world.queue.sendBatch(entries) : []
  const sent = new Map(prepared.map((step, index) => [step, answers[index] ?? NOT_ANSWERED]))
  const outcomes = await someAtOnce(steps, AT_ONCE, async step => {
    if (ended(step)) return step
    const forwarded = await concludeForwarding(world, step, sent.get(step) ?? NOT_ANSWERED)
    return ended(forwarded) ? forwarded : settle(world, forwarded)
  })
  return claims.map((claimed, index) => ({ claimed, outcome: outcomes[index] as Outcome }))
}

const NOT_ANSWERED = { kind: 'unavailable', cause: 'the queue said nothing of this message' } as const

const answerOf = (outcomes: readonly Outcome[]): Ending<'batch'> => {
  const count = (kind: Outcome['outcome']): number => outcomes.filter(({ outcome }) => outcome === kind).length
  return {
    outcome: 'batch',
    accepted: count('accepted'),
    duplicate: count('duplicate'),
    inFlight: count('in-flight'),
    unavailable: count('unavailable'),
    ids: outcomes.flatMap(outcome => ('id' in outcome ? [outcome.id] : [])),
  }
}
