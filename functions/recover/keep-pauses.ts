import { type Millis, millis } from '../domain/brands.ts'
import { causeOf } from '../domain/fault.ts'
import { begunAt, type DestinationPause, isPaused, type Mappings } from '../domain/pauses.ts'
import type { World } from '../domain/world.ts'

export interface KeepingPauses extends World<'pauses' | 'now'> {
  readonly mappings: Mappings
}

/** Another run, whose clock is behind, may still stop it: it is looked after until nobody can. */
const LATE_MS = 5 * 60_000

/** Operators who change their minds while Lambda is told: whatever else they say, the next run carries out. */
const MOST_ORDERS = 3

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
export const keepPauses = async (world: KeepingPauses): Promise<readonly KeptPause[]> => {
  const kept: KeptPause[] = []
  for (const destination of world.mappings.names) {
    const pause = await lastSaid(world, destination)
    if (pause !== undefined && !pause.over) kept.push(await keep(world, pause, MOST_ORDERS))
  }
  return kept
}

const lastSaid = ({ pauses }: KeepingPauses, destination: string): Promise<DestinationPause | undefined> =>
  pauses.read(destination).catch(() => undefined)

const keep = async (world: KeepingPauses, pause: DestinationPause, orders: number): Promise<KeptPause> => {
  const { pauses, mappings, now } = world
  const { destination } = pause
  const stays: boolean = isPaused(pause, now())
  const pausedMillis = millis(stays ? now() - begunAt(pause) : 0)
  try {
    const changed = await mappings.enable(destination, !stays)
    // An operator may have said otherwise, and told Lambda before this did.
    const last = changed && orders > 1 ? await lastSaid(world, destination) : undefined
    if (last !== undefined && isPaused(last, now()) !== stays) return keep(world, last, orders - 1)
    // Under its own time: what an operator has said since stays.
    if (!stays && now() > endOf(pause) + LATE_MS) await pauses.note({ ...pause, over: true })
    return { destination, pausedMillis }
  } catch (error) {
    return { destination, pausedMillis, failed: causeOf(error) }
  }
}
