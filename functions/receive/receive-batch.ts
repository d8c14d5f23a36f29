import { claim } from '../accept/claim.ts'
import { forwardAll } from '../accept/forward-all.ts'
import { keep } from '../accept/keep.ts'
import { type Patience, patienceOf } from '../accept/patience.ts'
import type { Claimed, Identified, Verified } from '../domain/evidence.ts'
import { type Ending, ended, type Outcome, parted } from '../domain/outcome.ts'
import { someAtOnce } from '../domain/some-at-once.ts'
import type { TakingIn } from '../domain/world.ts'
import { identify } from './identify.ts'

/** Claims and writes at once: enough for a thousand events within a function's time. */
const AT_ONCE = 10

/** The flow for many events at once: each is claimed on its own, all are sent together, the sender is answered once. */
export const receiveBatch = async (world: TakingIn, parts: readonly Verified[]): Promise<Outcome> => {
  const identified = parted<Identified>(await someAtOnce(parts, AT_ONCE, part => identify(world, part)))
  const [refused] = identified.over
  if (refused) return refused

  const patience = patienceOf(world)
  const owned = await someAtOnce(distinct(identified.going), AT_ONCE, event => own(world, event, patience))
  const claims = parted<Claimed>(owned)
  const forwarded = await forwardAll(world, claims.going)
  // The answer to all: a delivery is not acknowledged for the part of it that was not taken.
  const rejected = claims.over.find(({ outcome }) => outcome === 'rejected')
  return rejected ?? answerOf([...claims.over, ...forwarded.map(({ outcome }) => outcome)])
}

/** A repeat inside the delivery is the same event, not a rival. */
const distinct = (events: readonly Identified[]): Identified[] => [
  ...new Map(events.map(event => [event.fingerprint, event])).values(),
]

const own = async (world: TakingIn, event: Identified, patience: Patience): Promise<Claimed | Outcome> => {
  const kept = await keep(world, event)
  return ended(kept) ? kept : claim(world, kept, patience)
}

const answerOf = (outcomes: readonly Outcome[]): Ending<'batch'> => {
  const count = (kind: Outcome['outcome']): number => outcomes.filter(({ outcome }) => outcome === kind).length
  return {
    outcome: 'batch',
    accepted: count('accepted'),
    duplicate: count('duplicate'),
    ...(count('ignored') > 0 && { ignored: count('ignored') }),
    inFlight: count('in-flight'),
    unavailable: count('unavailable'),
    ids: outcomes.flatMap(outcome => ('id' in outcome ? [outcome.id] : [])),
  }
}
