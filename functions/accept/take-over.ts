import type { Claimed, Kept } from '../domain/evidence.ts'
import { type Ending, outage } from '../domain/outcome.ts'
import type { EventRecord } from '../domain/record.ts'
import type { World } from '../domain/world.ts'
import { claimed } from './claimed.ts'
import { ownership } from './ownership.ts'

/** An abandoned claim becomes ours; `undefined` when somebody else was faster. */
export const takeOver = async (
  world: World<'events' | 'now' | 'newFence' | 'leaseMillis'>,
  event: Kept,
  seen: EventRecord,
  /** If where it was to go is gone. */
  to?: readonly string[],
): Promise<Claimed | Ending<'unavailable'> | undefined> => {
  const answer = await world.events.takeOver(seen, ownership(world), to)
  switch (answer.kind) {
    case 'owned':
      return claimed(event, answer.record, 'took-over')
    case 'superseded':
      return undefined
    case 'unavailable':
      return outage('event-store', answer.cause)
  }
}
