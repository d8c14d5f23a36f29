import type { RecoveryStore } from '../domain/recovery.ts'
import type { WorkStore } from '../domain/work.ts'
import type { World } from '../receive/world.ts'

/** A receiver's world, since recovery forwards and settles as a receiver does, and the walk over the listing. */
export interface RecoverWorld extends World {
  readonly recovery: RecoveryStore
  readonly work: Pick<WorkStore, 'fail'>
}
