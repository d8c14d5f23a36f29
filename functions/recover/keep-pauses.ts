import { type Millis, millis } from '../domain/brands.ts'
import { causeOf } from '../domain/fault.ts'
import { isPaused, type Mappings } from '../domain/pauses.ts'
import type { World } from '../domain/world.ts'

export interface KeepingPauses extends World<'pauses' | 'now'> {
  readonly mappings: Mappings
}

/** What became of one destination that somebody has paused, or had. */
export interface KeptPause {
  readonly destination: string
  /** 0: it is not paused. */
  readonly pausedMillis: Millis
  /** What it is paused or resumed with did not answer. */
  readonly failed?: string
}

/** So long after its end a pause is looked at: a deployment, or an outage of Lambda, may have undone what was said. */
const LOOKED_AT_MS = 86_400_000

/** Carries out what is on record: what died half way, what a deployment undid, and the end of every pause. */
export const keepPauses = async ({ pauses, mappings, now }: KeepingPauses): Promise<readonly KeptPause[]> => {
  const kept: KeptPause[] = []
  for (const destination of mappings.names) {
    const pause = await pauses.read(destination).catch(() => undefined)
    if (pause === undefined || now() - pause.until >= LOOKED_AT_MS) continue
    const stays = isPaused(pause, now())
    const pausedMillis = millis(stays ? now() - (pause.since ?? pause.at) : 0)
    try {
      await mappings.enable(destination, !stays)
      kept.push({ destination, pausedMillis })
    } catch (error) {
      kept.push({ destination, pausedMillis, failed: causeOf(error) })
    }
  }
  return kept
}
