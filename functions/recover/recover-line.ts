import { ALL_SOURCES } from '../contract/metrics.ts'
import { emfLine } from '../log/emf-line.ts'
import type { Emptied } from './empty-removed.ts'
import type { KeptPause } from './keep-pauses.ts'
import type { Tally } from './recover.ts'

/** One line per run, which is also its metrics: recovery walks every source at once. */
export const recoverLine = (environment: string, { seen, unavailable, cause, ...tally }: Tally, at: number): string =>
  emfLine({
    at,
    environment,
    source: ALL_SOURCES,
    counts: [],
    values: {
      Recovered: tally.recovered,
      Waiting: tally.waiting,
      Lost: tally.lost,
      Unreadable: tally.unreadable,
      RecoveryLag: tally.lag,
    },
    fields: { recovery: true, seen, unavailable, cause },
  })

/** One line for each destination that is paused, or was until lately. */
export const pauseLine = (environment: string, { destination, pausedMillis, failed }: KeptPause, at: number): string =>
  emfLine({
    at,
    environment,
    source: ALL_SOURCES,
    destination,
    counts: [],
    values: { PausedSeconds: Math.round(pausedMillis / 1000) },
    fields: { recovery: true, ...(failed !== undefined && { failed }) },
  })

/** One line for each destination that was removed, if something waited in its queue or the queue did not answer. */
export const emptiedLine = (emptied: Emptied): string => JSON.stringify({ recovery: true, removed: true, ...emptied })
