import type { SentView } from './compare-sent.ts'

export interface MissingEvent {
  readonly eventId: string | null
  readonly type: string | null
  readonly createdAt: string | null
}

/** What a run found. */
export interface Report {
  readonly listed: number
  readonly known: number
  /** As found by this run, whatever became of them. */
  readonly missing: readonly MissingEvent[]
  readonly taken: number
  readonly redelivered: number
  /** Listed without an id that a webhook could have. */
  readonly unknown: number
  /** Where to go on; null: the list was read to its end. */
  readonly next: string | null
}

/** Counts each event once, however often it is listed. */
export const openTally = () => {
  const events = new Map<string, SentView>()
  const met = new Set<string>()
  let from: string | null | undefined

  return {
    /** The items of the page after this cursor, and the digests of all that the page listed. */
    add(items: readonly SentView[], after: string | null, digests: readonly string[] = items.map(keyOf)): void {
      for (const digest of digests) met.add(digest)
      if (from === undefined && items.some(({ state }) => state === 'missing')) from = after
      for (const item of items) {
        const key = keyOf(item)
        const state = events.get(key)?.state
        // What was asked for and has not come yet is listed as missing again.
        events.set(key, state === 'redelivered' || state === 'taken' ? { ...item, state } : item)
      }
    },
    /** How many different items were listed, whether they count or not. */
    met: (): number => met.size,
    /** Where the first page with something missing begins; undefined: nothing is. */
    from: (): string | null | undefined => from,
    events: (): readonly SentView[] => [...events.values()],
    report: (next: string | null): Report => reportOf([...events.values()], next),
  }
}

const keyOf = (item: SentView): string => item.id ?? JSON.stringify(item)

const reportOf = (events: readonly SentView[], next: string | null): Report => {
  const counted = (wanted: SentView['state']): number => events.filter(({ state }) => state === wanted).length
  return {
    listed: events.length,
    known: counted('known'),
    missing: events.flatMap(({ state, eventId, type, createdAt }) =>
      WERE_MISSING.has(state) ? [{ eventId, type, createdAt }] : [],
    ),
    taken: counted('taken'),
    redelivered: counted('redelivered'),
    unknown: counted('unknown'),
    next,
  }
}

const WERE_MISSING: ReadonlySet<SentView['state']> = new Set(['missing', 'taken', 'redelivered'])
