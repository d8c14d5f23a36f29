import { clip, type EventRecord } from '../domain/record.ts'
import type { World } from '../domain/world.ts'
import type { Unreadable } from './finish-abandoned.ts'

/**
 * One body that cannot be read does not hold up the others: its event is looked at again in a few minutes, and until then its
 * sender's next try may take over.
 */
export const park = async (
  { recovery, now, newFence }: World<'recovery' | 'now' | 'newFence'>,
  { seen, why }: Unreadable,
): Promise<'unreadable' | 'fine' | 'unavailable'> => {
  const at = now()
  const by = { fence: newFence(), now: at, leaseUntil: at }
  const answer = await recovery.park(seen, by, clip('lastError', `${UNREADABLE}${why}`))
  if (answer.kind === 'moved') return 'unreadable'
  return answer.kind === 'unavailable' ? 'unavailable' : 'fine'
}

const UNREADABLE = 'Unreadable: '

export const wasParked = ({ lastError }: EventRecord): boolean => lastError?.startsWith(UNREADABLE) ?? false
