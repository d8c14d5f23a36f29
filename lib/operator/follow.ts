import { isOver } from '../../functions/contract/status.ts'
import { type Millis, millis } from '../../functions/domain/brands.ts'
import { asSeen } from '../../functions/domain/copies-of.ts'
import type { Clock, EventReads } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'

export interface Following {
  readonly now: Clock
  /** Claimed at or after. */
  readonly from: Millis
  /** Between two looks; false ends it. */
  readonly pause: () => Promise<boolean>
}

/** A look is sixteen small queries: nothing on a laptop, a few cents a day in AWS at every two seconds. */
export const LOOK_EVERY_MS = { local: 250, aws: 2_000 } as const

const PAGE = 100
/** The index is eventually consistent, and hosts' clocks differ: an event may appear behind one already seen. */
export const LATE_MS = 10_000
/** An event that is not over by then is no longer looked at until it is claimed again. */
export const LOOKED_AT_FOR_MS = 3_600_000

/** Each event when it appears, and again when its status, generation or attempts have changed. */
export async function* followRecords(
  store: Pick<EventReads, 'list' | 'read'>,
  { now, from, pause }: Following,
): AsyncGenerator<EventRecord> {
  const known = new Map<string, EventRecord>()
  let since = from
  do {
    for (const record of await everySince(store, since, now())) {
      if (isSame(known.get(record.fingerprint), record)) continue
      known.set(record.fingerprint, record)
      yield record
    }
    since = nextSince([...known.values()], since, now())
    for (const [id, { claimedAt }] of known) if (claimedAt < since) known.delete(id)
  } while (await pause())
}

/** Oldest first, as they happened. */
export const everySince = async (
  store: Pick<EventReads, 'list' | 'read'>,
  from: Millis,
  now: Millis,
): Promise<EventRecord[]> => {
  const found: EventRecord[] = []
  let after: string | null = null
  do {
    const page = await store.list({ limit: PAGE, now, from, ...(after !== null && { after }) })
    found.push(...(await asSeen(store, page.records, now)))
    after = page.next
  } while (after !== null)
  return found.reverse()
}

const isSame = (known: EventRecord | undefined, record: EventRecord): boolean =>
  known?.status === record.status && known.generation === record.generation && known.attempts === record.attempts

/** A look goes back to the oldest event that may still change: one that is over changes only if it is claimed again. */
const nextSince = (records: readonly EventRecord[], since: Millis, now: Millis): Millis => {
  const newest = Math.max(since, ...records.map(({ claimedAt }) => claimedAt - LATE_MS))
  const open = records.filter(({ status }) => !isOver(status)).map(({ claimedAt }) => claimedAt)
  return millis(Math.max(since, Math.min(newest, ...open), Math.min(newest, now - LOOKED_AT_FOR_MS)))
}
