import type { EventRecord } from '../domain/record.ts'
import type { EndAnswer } from '../domain/work.ts'
import type { Consuming } from '../domain/world.ts'
import type { CommitResult } from './tools.ts'

/** `done` or `ignored`, unless the handler's own commit already said `done`, or left it open whether its effect happened. */
export const finish = async (
  world: Consuming,
  record: EventRecord,
  committed: CommitResult | undefined,
  ignoredBecause?: string,
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
      return ignoredBecause === undefined
        ? world.work.finish(record, world.now())
        : world.work.ignore(record, world.now(), ignoredBecause)
  }
}
