import { millis } from '../domain/brands.ts'
import type { Identified } from '../domain/evidence.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Unavailable } from '../domain/ports.ts'
import type { Act, Audit } from '../domain/replay.ts'
import { beforeOf } from '../domain/replayed.ts'
import type { World } from '../domain/world.ts'

/** Hosts' clocks differ by less. An audit of an earlier life of the event is older by weeks. */
const CLOCKS_DIFFER_MS = 600_000

/** `audit`: what is noted of a generation that only this taking can begin; null if the event is there already. */
export type Noted = { readonly kind: 'noted'; readonly audit: Audit | null } | Unavailable

/** Who has an event taken that is no delivery of its sender's now, and why: recorded before it is taken. */
export const noteTaking = async (
  world: World<'records' | 'replays' | 'now' | 'newFence'>,
  { fingerprint }: Identified,
  act: Act & Pick<Audit, 'act'>,
): Promise<Noted> => {
  const now = world.now()
  const known = await world.records.read(fingerprint, now)
  // Nothing is done about an event that is on its way or at its end.
  if (known && known.status !== 'failed' && known.status !== 'claimed') return { kind: 'noted', audit: null }
  const failed = known?.status === 'failed'
  const audit: Audit = {
    ...act,
    fingerprint,
    was: failed ? 'failed' : null,
    // The generation it would finish or begin: the first, one that was left undone, or the next of an event that had failed.
    generation: (known?.generation ?? 0) + (failed ? 1 : 0),
    at: now,
    fence: world.newFence(),
    before: failed ? beforeOf(known) : null,
  }
  const answer = await world.replays.note(audit, millis((known?.firstSeenAt ?? now) - CLOCKS_DIFFER_MS))
  return answer.kind === 'noted' ? { ...answer, audit: known?.status === 'claimed' ? null : audit } : answer
}

/**
 * Once it is taken: the note of somebody who wanted the same before, and could not have it taken, gives way. Not after a lease's time:
 * an operator's replay may have begun that generation meanwhile, and have been left to us.
 */
export const confirmTaking = async (
  { replays, now, leaseMillis }: World<'replays' | 'now' | 'leaseMillis'>,
  audit: Audit | null,
  { outcome }: Outcome,
): Promise<void> => {
  const at = now()
  if (audit === null || at - audit.at >= leaseMillis || (outcome !== 'accepted' && outcome !== 'ignored')) return
  await replays.note(audit, millis(at + CLOCKS_DIFFER_MS))
}
