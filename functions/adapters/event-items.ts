import { listingKeys } from '../contract/tables.ts'
import { type Millis, millis } from '../domain/brands.ts'
import { WORKER } from '../domain/destinations.ts'
import type { EventRecord } from '../domain/record.ts'
import { WORKER_ALONE } from '../domain/route.ts'

export type Item = Record<string, unknown>

export const toItem = (record: EventRecord): Item => {
  const { fingerprint, claimedAt, to, edition } = record
  // The first edition is what a record without one means.
  const all: Item = { ...record, ...listingKeys(fingerprint, claimedAt), to: storedTo(to), edition: edition || null }
  const item: Item = {}
  for (const name in all) if (all[name] !== null) item[name] = all[name]
  return item
}

export const fromItem = (item: Item): EventRecord => {
  const { listing, claimedAt, committed, to, ...rest } = item
  return { ...ABSENT, ...rest, claimedAt: instantOf(String(claimedAt)), to: readTo(to) } as EventRecord
}

/** `worker` alone is not stored, and a record of an older version means it. Names have no comma. */
const storedTo = (to: readonly string[]): string | null => {
  const text = to.join()
  return text === WORKER ? null : text
}

const readTo = (stored: unknown): readonly string[] => {
  if (stored === undefined) return WORKER_ALONE
  return stored === '' ? [] : String(stored).split(',')
}

/** What an update says of it: nothing, if it goes where it went before. */
export const changedTo = (before: readonly string[], after: readonly string[]): string | null | undefined =>
  before.join() === after.join() ? undefined : storedTo(after)

/** Null is not stored; the others are what a record of an older version means by not having them. */
const ABSENT = {
  type: null,
  lastError: null,
  ignoredBecause: null,
  bodyAt: null,
  guard: null,
  copyOf: null,
  madeBy: null,
  edition: 0,
  bodySigned: false,
} satisfies Partial<EventRecord>

export const instantOf = (position: string): Millis => millis(Date.parse(position.slice(0, position.indexOf('#'))))
