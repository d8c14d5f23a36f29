import type { ListingCursor } from './ports.ts'

/** The days on which events were claimed, as far as recovery has walked the listing: on every other day between, there was none. */
export interface EventDays {
  /** The first day that was walked from its beginning. */
  readonly since: string
  /** Oldest first. */
  readonly days: readonly string[]
}

/** As long as any record is remembered. */
const MOST_DAYS = 400
const DAY_MS = 86_400_000

/** `2026-11-16` */
export const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

/** The last millisecond of the day before. */
export const dayBefore = (instant: number): number => Math.floor(instant / DAY_MS) * DAY_MS - 1

/** After a stretch of one day that begins after `from`. */
export const noteDay = (known: EventDays | undefined, from: ListingCursor, hasEvents: boolean): EventDays => {
  const day = from.slice(0, 10)
  const { since, days } = known ?? { since: dayOf(Date.parse(day) + DAY_MS), days: [] }
  if (!hasEvents || days.includes(day)) return { since, days }
  const kept = [...days, day].slice(-MOST_DAYS)
  return { since: days.length < MOST_DAYS ? since : (kept[0] ?? since), days: kept }
}

/** An instant of the newest day before this one that may have events. Recovery has come to `walkedTo`: later days are not known yet. */
export const earlierDay = (instant: number, known?: EventDays, walkedTo: ListingCursor = ''): number => {
  const before = dayBefore(instant)
  const day = dayOf(before)
  if (known === undefined || day < known.since || day >= walkedTo.slice(0, 10)) return before
  const busy = known.days.findLast(each => each <= day)
  return busy === undefined ? dayBefore(Date.parse(known.since)) : Date.parse(busy) + DAY_MS - 1
}
