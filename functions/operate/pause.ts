import { iso, millis } from '../domain/brands.ts'
import { answered, causeOf } from '../domain/fault.ts'
import {
  begunAt,
  type DestinationPause,
  isPaused,
  LONGEST_PAUSE_MS,
  type Mappings,
  workedOffAt,
} from '../domain/pauses.ts'
import type { World } from '../domain/world.ts'

export interface PauseOrder {
  readonly destination: string
  readonly reason: string
  /** How long, in milliseconds. @default as long as a pause may be */
  readonly span?: number | undefined
}

export interface ResumeOrder {
  readonly destination: string
  readonly reason: string
}

export type PauseAnswer =
  | { readonly kind: 'paused'; readonly destination: string; readonly until: string }
  | { readonly kind: 'resumed'; readonly destination: string }
  /** On record, but AWS did not carry it out: recovery does within a minute. */
  | { readonly kind: 'noted'; readonly destination: string; readonly cause: string }
  /** Earlier pauses used up what its messages can wait: it can be paused from `again` on. */
  | { readonly kind: 'too-soon'; readonly destination: string; readonly again: string }
  | { readonly kind: 'no-destination'; readonly destinations: readonly string[] }
  | { readonly kind: 'unavailable'; readonly cause: string }

/** To stop what hands messages to a function, and to let it go on. */
export interface Pausing extends World<'pauses' | 'now'> {
  /** @default nothing can be paused */
  readonly mappings?: Mappings
}

/** Its messages wait, and no try is used up. It ends by itself. */
export const pauseDestination = async (world: Pausing, order: PauseOrder, actor: string): Promise<PauseAnswer> => {
  const at = world.now()
  const known = await answered(world.pauses.read(order.destination))
  if (known !== undefined && 'kind' in known) return known
  const { destination, reason } = order
  // Who pauses what is paused, or was a moment ago, extends that pause: its messages and bodies do not live for ever.
  const extended = known !== undefined && at < workedOffAt(known) ? known : undefined
  const since = extended ? begunAt(extended) : at
  const most = since + LONGEST_PAUSE_MS
  if (extended && most <= at) return { kind: 'too-soon', destination, again: iso(workedOffAt(extended)) }
  const until = millis(Math.min(at + (order.span ?? LONGEST_PAUSE_MS), most))
  return carryOut(world, { destination, state: 'paused', reason, actor, at, until, ...(since < at && { since }) })
}

/** How long it was paused, and until when, stays on record: the next pause may come too soon. */
export const resumeDestination = async (world: Pausing, order: ResumeOrder, actor: string): Promise<PauseAnswer> => {
  const at = world.now()
  const known = await answered(world.pauses.read(order.destination))
  if (known !== undefined && 'kind' in known) return known
  const since = known ? begunAt(known) : at
  const until = known ? millis(Math.min(at, known.until)) : at
  return carryOut(world, { ...order, state: 'resumed', actor, at, until, ...(since < at && { since }) })
}

const NONE: Mappings = { names: [], enable: async () => false }

/** First on record, then done: what is on record, recovery carries out if this dies. */
const carryOut = async ({ pauses, mappings = NONE, now }: Pausing, pause: DestinationPause): Promise<PauseAnswer> => {
  const { destination, until } = pause
  if (!mappings.names.includes(destination)) return { kind: 'no-destination', destinations: mappings.names }
  const noted = await pauses.note(pause)
  if (noted.kind === 'unavailable') return noted
  const stays = isPaused(pause, now())
  try {
    await mappings.enable(destination, !stays)
  } catch (error) {
    return { kind: 'noted', destination, cause: causeOf(error) }
  }
  return stays ? { kind: 'paused', destination, until: iso(until) } : { kind: 'resumed', destination }
}
