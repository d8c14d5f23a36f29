import type { Millis } from './brands.ts'
import type { ErasureStore } from './erasure.ts'
import type { JobStore } from './job.ts'
import type { KeptDeliveries } from './kept-delivery.ts'
import type { PauseStore } from './pauses.ts'
import type {
  BodyStore,
  Clock,
  CopyClaims,
  EventClaims,
  EventMoves,
  EventReads,
  FenceMaker,
  KeyFetcher,
  KeyStore,
  MessageVisibility,
  Pause,
  Queue,
  SecretStore,
} from './ports.ts'
import type { ReconcilerStore } from './reconciler.ts'
import type { LeftQueues, RecoveryStore } from './recovery.ts'
import type { ReplayStore } from './replay.ts'
import type { Source } from './source.ts'
import type { FailureStore, WorkStore } from './work.ts'

/** Everything that code of ours reaches for. It comes in by argument: a verb names the parts it needs, `World<'events' | 'now'>`. */
interface Whole {
  readonly environment: string
  readonly sources: ReadonlyMap<string, Source>
  readonly secrets: SecretStore
  readonly claims: EventClaims
  readonly copies: CopyClaims
  readonly events: EventMoves
  readonly records: EventReads
  readonly bodies: Pick<BodyStore, 'keep' | 'discard'>
  readonly keptBodies: Pick<BodyStore, 'fetch'>
  readonly queue: Queue
  readonly left: LeftQueues
  readonly visibility: MessageVisibility
  readonly work: WorkStore
  readonly failures: FailureStore
  readonly recovery: RecoveryStore
  readonly replays: ReplayStore
  readonly jobs: JobStore
  readonly erasures: ErasureStore
  readonly pauses: PauseStore
  /** Where quarantine and capture keep deliveries. */
  readonly deliveries: KeptDeliveries
  readonly reconciler: ReconcilerStore
  readonly now: Clock
  readonly newFence: FenceMaker
  readonly pause: Pause
  /** From 0 to 1, for waits that should not all end at once. */
  readonly random: () => number
  readonly leaseMillis: Millis
}

export type World<Part extends keyof Whole = keyof Whole> = Pick<Whole, Part>

/** To claim an event, forward and settle it. */
export type Accepting = World<'claims' | 'events' | 'bodies' | 'queue' | 'now' | 'newFence' | 'leaseMillis' | 'pause'>

/** To take an event that is genuine, whatever proved it: to identify it, and all that follows. */
export interface TakingIn extends Accepting, World<'environment'> {
  readonly secrets: KeyStore
}

/** To receive deliveries, signed ones and published ones. */
export interface Receiving extends TakingIn, World<'sources'> {
  readonly secrets: SecretStore
  /** @default nothing is downloaded: the keys that senders publish have to be in the secret store */
  readonly keys?: KeyFetcher
  /** The user's own. @default - the API's own */
  readonly domain?: string | undefined
  /** @default nowhere: quarantine and capture keep nothing */
  readonly deliveries?: Pick<KeptDeliveries, 'keep'>
}

/** To handle the messages of events. */
export interface Consuming
  extends World<'work' | 'failures' | 'bodies' | 'keptBodies' | 'visibility' | 'now' | 'newFence' | 'random'> {
  readonly secrets: KeyStore
  readonly records: Pick<EventReads, 'read'>
}
