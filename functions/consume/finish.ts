import type { EventRecord } from '../domain/record.ts'
import type { EndAnswer } from '../domain/work.ts'
import type { Consuming } from '../domain/world.ts'
import type { CommitResult } from './tools.ts'

/** `done`, unless the handler's own commit already said so, or left it open whether its effect happened. */
export const finish = async (
  world: Consuming,
  record: EventRecord,
  committed: CommitResult | undefined,
): Promise<EndAnswer> => {
  switch (committed?.kind) {
    case 'committed':
      return { kind: 'moved' }
    case 'busy':
    case 'over':
    case 'superseded':
    case 'unavailable':
      return committed
    case 'refused':
    case 'too-many':
    case undefined:
      return world.work.finish(record, world.now())
  }
}
