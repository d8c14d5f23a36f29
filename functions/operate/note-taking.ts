import { millis } from '../domain/brands.ts'
import type { Identified } from '../domain/evidence.ts'
import type { Act, Audit } from '../domain/replay.ts'
import { beforeOf } from '../domain/replayed.ts'
import type { World } from '../domain/world.ts'

/** Hosts' clocks differ by less. An audit of an earlier life of the event is older by weeks. */
const CLOCKS_DIFFER_MS = 600_000

/** Who has an event taken that is no delivery of its sender's now, and why: recorded before it is taken. */
export const noteTaking = async (
  world: World<'records' | 'replays' | 'now' | 'newFence'>,
  { fingerprint }: Identified,
  act: Act & Pick<Audit, 'act'>,
) => {
  const now = world.now()
  const known = await world.records.read(fingerprint, now)
  // Nothing is done about an event that is on its way or at its end.
  if (known && known.status !== 'failed' && known.status !== 'claimed') return { kind: 'noted' } as const
  const failed = known?.status === 'failed'
  return world.replays.note(
    {
      ...act,
      fingerprint,
      was: failed ? 'failed' : null,
      // The generation it would finish or begin: the first, one that was left undone, or the next of an event that had failed.
      generation: (known?.generation ?? 0) + (failed ? 1 : 0),
      at: now,
      fence: world.newFence(),
      before: failed ? beforeOf(known) : null,
    },
    millis((known?.firstSeenAt ?? now) - CLOCKS_DIFFER_MS),
  )
}
