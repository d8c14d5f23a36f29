import type { Mode } from './actors.ts'
import type { Ingredients } from './ingredients.ts'

/** What the schedules that hunt a bug have for certain, or more often: the world in which it can do harm. */
export interface Focus {
  readonly world?: Partial<Ingredients>
  /** Calls that fail ten times as often. */
  readonly often?: readonly string[]
  /** By the client that ships, over HTTP. */
  readonly lean?: boolean
  /** Senders bring their secrets, and an operator stores one. */
  readonly handshakes?: boolean
  /** The record of an event expires while it is at work, and TTL leaves it there. */
  readonly expiresEarly?: boolean
  /** What the user's code does with each event. */
  readonly mode?: Mode
  /** Somebody replays, in each schedule. */
  readonly operators?: boolean
}
