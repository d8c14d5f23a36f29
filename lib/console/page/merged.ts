import { isWanted, type ListedEvent, type Wanted } from '../wanted.ts'

/** In the order of the server; those that are wanted no longer are out, and those of pages to come are left to them. */
export const merged = (
  before: readonly ListedEvent[],
  changes: readonly ListedEvent[],
  wanted: Wanted,
  hasMore: boolean,
): readonly ListedEvent[] => {
  const known = new Map(before.map(event => [event.id, event]))
  const end = hasMore ? (before.at(-1)?.claimedAt ?? '') : ''
  for (const event of changes) {
    if (isWanted(event, wanted) && event.claimedAt >= end) known.set(event.id, event)
    else known.delete(event.id)
  }
  return [...known.values()].sort(newestFirst)
}

const newestFirst = (left: ListedEvent, right: ListedEvent): number =>
  left.claimedAt === right.claimedAt ? (left.id < right.id ? 1 : -1) : left.claimedAt < right.claimedAt ? 1 : -1
