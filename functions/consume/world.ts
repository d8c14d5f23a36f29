import type { BodyStore, Clock, FenceMaker } from '../domain/ports.ts'
import type { WorkStore } from '../domain/work.ts'

/** Everything a consumer reaches for. */
export interface ConsumerWorld {
  readonly work: WorkStore
  readonly bodies: BodyStore
  readonly now: Clock
  readonly newFence: FenceMaker
}
