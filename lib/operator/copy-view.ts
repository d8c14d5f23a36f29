import { iso, type Millis } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { canReplay } from '../../functions/operate/replay.ts'
import { where } from './where.ts'

/** The copy of an event for one of its destinations. */
export type CopyView = Readonly<ReturnType<typeof copyView>>

export const copyView = (copy: EventRecord, now: Millis) => ({
  destination: copy.to[0] ?? '',
  id: copy.fingerprint,
  status: copy.status,
  generation: copy.generation,
  attempts: copy.attempts,
  updatedAt: iso(copy.updatedAt),
  lastError: copy.lastError,
  replayable: canReplay(copy, now),
  /** Where it is now, as a sentence. */
  where: where(copy, now),
})

/** Of an event whose copies are on their way: how many are what. */
export const whereCopies = (copies: readonly EventRecord[]): string => {
  const statuses = [...new Set(copies.map(({ status }) => status))]
  const named = statuses.map(status => {
    const of = copies.filter(copy => copy.status === status).map(({ to }) => to[0])
    return `${status} for ${of.join(', ')}`
  })
  return named.join('; ')
}
