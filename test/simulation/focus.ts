import { NOON } from '../support/events.ts'
import type { Mode } from './actors.ts'
import type { Fault } from './faults.ts'
import type { Ingredients } from './ingredients.ts'

/** What the schedules that hunt a bug have for certain, or more often: the world in which it can do harm. */
export interface Focus {
  readonly world?: Partial<Ingredients>
  /** Calls that fail ten times as often. */
  readonly often?: readonly string[]
  /** What becomes of a call when it fails. */
  readonly kinds?: Readonly<Record<string, readonly Fault[]>>
  /** Somebody presses "resend" so often, for each delivery. */
  readonly resends?: number
  /** So many milliseconds after the first delivery, and later. */
  readonly resendsFrom?: number
  /** Settings change, in each schedule. */
  readonly redeploys?: boolean
  /** When this write is on its way, the record that it is about expires, and TTL leaves it there. */
  readonly expires?: string
  /** When this write of a later generation was carried out, somebody deletes the record. */
  readonly erases?: string
  /** By the client that ships, over HTTP. */
  readonly lean?: boolean
  /** Senders bring their secrets, and an operator stores one. */
  readonly handshakes?: boolean
  /** What the user's code does with each event. */
  readonly mode?: Mode
  /** Half of the messages are of a later release than the workers know. */
  readonly rolledBack?: boolean
  /** Somebody replays, in each schedule. */
  readonly operators?: boolean
  /** Somebody puts a message of their own on a queue, in each schedule. */
  readonly forges?: boolean
  /** Somebody erases, in each schedule. */
  readonly erasing?: boolean
  /** Whatever comes in pages comes one by one. */
  readonly paged?: boolean
  /** Somebody replays many, in each schedule. */
  readonly bulk?: boolean
}

/** For a while, so a late write meets what its writer left behind, and no worker has been at it. */
export const NOBODY_WORKS = { from: NOON, until: NOON + 10 * 60_000 } as const

/** Nothing that was sent in the meantime is left for them. */
export const LONGER_THAN_A_MESSAGE = { from: NOON, until: NOON + 16 * 86_400_000 } as const
