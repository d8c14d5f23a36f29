import type { EventRecord } from '../domain/record.ts'
import type { World } from '../domain/world.ts'
import { type CompareOrder, isWanted } from './compare-sent.ts'
import { walk } from './walk.ts'

type Span = Pick<CompareOrder, 'source' | 'since' | 'until' | 'types'>

/** What is looked at of an event of the source. */
export type Arrival = Pick<EventRecord, 'type' | 'status' | 'firstSeenAt'>

/** Records that are looked at. */
const PAGE = 100
const MOST_PAGES = 100

/**
 * An id that is not the webhook's makes every event look missing: to take them all would handle each a second time. So if none of the
 * list is known although events came in that time, nothing is taken.
 */
export const whyDoubtful = (world: World<'records' | 'now'>, span: Span, listed: number): Promise<string | undefined> =>
  doubtOf(arrivals(world, span), span, listed)

async function* arrivals(
  { records, now }: World<'records' | 'now'>,
  { source, since, until }: Span,
): AsyncGenerator<readonly Arrival[]> {
  for await (const page of walk(records, { from: since, until: until ?? now(), now: now(), page: PAGE })) {
    yield page.records.filter(({ via, ...record }) => record.source === source && via === undefined)
  }
}

/** `pages`: the events of the source that were claimed in that time. */
export const doubtOf = async (
  pages: AsyncIterable<readonly Arrival[]>,
  span: Span,
  listed: number,
): Promise<string | undefined> => {
  let read = 0
  for await (const page of pages) {
    if (page.some(arrival => hasCome(arrival, span))) return doubt(span.source, listed)
    read += 1
    if (read === MOST_PAGES) break
  }
  return undefined
}

/** What is only claimed nobody has handled, and an older one is here because it was replayed. */
const hasCome = ({ status, type, firstSeenAt }: Arrival, { since, types }: Span): boolean =>
  status !== 'claimed' && firstSeenAt >= since && isWanted(types, type ?? '')

const doubt = (source: string, listed: number): string =>
  `None of the ${listed} that the sender lists is known here, although "${source}" has received events in that time. Its list may name events in another way, or be that of another account: nothing is taken. If they are all missing, name the time of the outage with --since and --until, or look further back.`
