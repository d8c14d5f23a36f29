import { type Millis, millis } from '../domain/brands.ts'
import { causeOf } from '../domain/fault.ts'
import { type DestinationPause, isPaused, type Mappings } from '../domain/pauses.ts'
import type { World } from '../domain/world.ts'

export interface KeepingPauses extends World<'pauses' | 'now'> {
  readonly mappings: Mappings
}

/** Another run, whose clock is behind, may still stop it: it is looked after until nobody can. */
const LATE_MS = 5 * 60_000

const endOf = ({ state, at, until }: DestinationPause): number => (state === 'paused' ? until : at)

/** What became of one destination that somebody has paused, or had. */
export interface KeptPause {
  readonly destination: string
  /** 0: it is not paused. */
  readonly pausedMillis: Millis
  /** What it is paused or resumed with did not answer. */
  readonly failed?: string
}

/**
 * Carries out what is on record: what died half way, what a deployment undid, and the end of every pause. A pause that is over is
 * looked after until Lambda has resumed it, however long that takes.
 */
export const keepPauses = async ({ pauses, mappings, now }: KeepingPauses): Promise<readonly KeptPause[]> => {
  const kept: KeptPause[] = []
  for (const destination of mappings.names) {
    const pause = await pauses.read(destination).catch(() => undefined)
    if (pause === undefined || pause.over) continue
    const stays: boolean = isPaused(pause, now())
    const pausedMillis = millis(stays ? now() - (pause.since ?? pause.at) : 0)
    try {
      await mappings.enable(destination, !stays)
      // Under its own time: what an operator has said since stays.
      if (!stays && now() > endOf(pause) + LATE_MS) await pauses.note({ ...pause, over: true })
      kept.push({ destination, pausedMillis })
    } catch (error) {
      kept.push({ destination, pausedMillis, failed: causeOf(error) })
    }
  }
  return kept
}
