import type { Millis } from '../domain/brands.ts'
import type { DeliveryShelf } from '../domain/kept-delivery.ts'
import type { BodyStore, Clock, EventClaims, FenceMaker, KeyFetcher, Queue, SecretStore } from '../domain/ports.ts'
import type { Source } from '../domain/source.ts'

/** Everything a receiver reaches for: the verbs take it by argument and know nothing else of where they run. */
export interface World {
  readonly environment: string
  readonly sources: ReadonlyMap<string, Source>
  readonly secrets: SecretStore
  readonly events: EventClaims
  readonly bodies: BodyStore
  readonly queue: Queue
  /** @default nothing is downloaded: the keys that senders publish have to be in the secret store */
  readonly keys?: KeyFetcher
  /** Where quarantine and capture keep deliveries. @default nowhere */
  readonly shelf?: Pick<DeliveryShelf, 'keep'>
  readonly now: Clock
  readonly newFence: FenceMaker
  readonly leaseMillis: Millis
}
