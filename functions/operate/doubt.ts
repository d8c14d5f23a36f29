import type { World } from '../domain/world.ts'
import { type CompareOrder, isWanted } from './compare-sent.ts'
import { walk } from './walk.ts'

/** Records that are looked at. */
const PAGE = 100
const MOST_PAGES = 100

/**
 * An id that is not the webhook's makes every event look missing: to take them all would handle each a second time. So if none of the
 * list is known although events came in that time, nothing is taken.
 */
export const whyDoubtful = async (
  { records, now }: World<'records' | 'now'>,
  { source, since, until, types }: Pick<CompareOrder, 'source' | 'since' | 'until' | 'types'>,
  listed: number,
): Promise<string | undefined> => {
  let pages = 0
  for await (const page of walk(records, { from: since, until: until ?? now(), now: now(), page: PAGE })) {
    // What is only claimed nobody has handled.
    const came = page.records.some(
      ({ via, status, type, ...record }) =>
        record.source === source && via === undefined && status !== 'claimed' && isWanted(types, type ?? ''),
    )
    if (came) return doubt(source, listed)
    pages += 1
    if (pages === MOST_PAGES) break
  }
  return undefined
}

export const doubt = (source: string, listed: number): string =>
  `None of the ${listed} that the sender lists is known here, although "${source}" has received events in that time. Its list may name events in another way, or be that of another account: nothing is taken. If they are all missing, name the time of the outage with --since and --until, or look further back.`
