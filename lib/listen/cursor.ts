import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Millis, millis } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { stateDir } from '../connect/instance.ts'
import { makePrivate } from '../connect/private-directory.ts'

/** How far one `listen` has come. */
export interface Cursor {
  /** Everything that was claimed from here until `from` is settled: sent, or named as not to be sent. */
  readonly start: Millis
  readonly from: Millis
  /** Settled by an earlier run that began later than this one goes back. */
  readonly skip: { readonly start: Millis; readonly until: Millis } | null
  /** Of what was claimed since `from`: when, by event and generation. */
  readonly settled: ReadonlyMap<string, Millis>
}

/** Where to go on: at the end of the last run, or so far back without sending anything twice. */
export const resume = (kept: Cursor | undefined, since: Millis | undefined, now: Millis): Cursor => {
  // A local instance with a frozen clock may be at another time than the last one.
  if (kept === undefined || kept.from > now) return startingAt(since ?? now)
  const { start, from, settled } = kept
  if (since === undefined || (since >= start && since <= from)) return kept
  if (since > from) return { ...startingAt(since), settled }
  return { ...startingAt(since), skip: { start, until: from }, settled }
}

export const startingAt = (from: Millis): Cursor => ({ start: from, from, skip: null, settled: new Map() })

/** A replay is a new generation, and is sent again. A claim that was taken over is not. */
export const keyOf = ({ fingerprint, generation }: EventRecord): string => `${fingerprint}#${generation}`

export const isSettled = ({ start, from, skip, settled }: Cursor, record: EventRecord): boolean =>
  settled.has(keyOf(record)) ||
  within(record.claimedAt, start, from) ||
  (skip !== null && within(record.claimedAt, skip.start, skip.until))

const within = (at: Millis, start: Millis, until: Millis): boolean => at >= start && at < until

/** On to here, and no further back. What lies before it need not be remembered one by one. */
export const advance = (cursor: Cursor, to: Millis): Cursor => {
  const from = millis(Math.max(cursor.from, to))
  return {
    ...cursor,
    from,
    skip: cursor.skip && cursor.skip.until > from ? cursor.skip : null,
    settled: new Map([...cursor.settled].filter(([, claimedAt]) => claimedAt >= from)),
  }
}

export type CursorFile = ReturnType<typeof cursorFile>

/** One file for each place, address and filter, so two `listen` in one directory do not meet. */
export const cursorFile = (directory: string, listening: Readonly<Record<string, unknown>>) => {
  const name = createHash('sha256').update(JSON.stringify(listening)).digest('hex').slice(0, 16)
  const file = join(stateDir(directory), `listen-${name}.json`)
  return {
    read: (): Cursor | undefined => parse(file),
    write({ start, from, skip, settled }: Cursor): void {
      makePrivate(stateDir(directory))
      const content = JSON.stringify({ ...listening, start, from, skip, settled: Object.fromEntries(settled) }, null, 2)
      // A rename is whole or did not happen, whenever the process is killed.
      writeFileSync(`${file}.${process.pid}`, `${content}\n`, { mode: 0o600 })
      renameSync(`${file}.${process.pid}`, file)
    },
  }
}

const parse = (file: string): Cursor | undefined => {
  try {
    const { start, from, skip, settled } = JSON.parse(readFileSync(file, 'utf8'))
    const entries = Object.entries(settled as Record<string, number>).map(([key, at]) => [key, millis(at)] as const)
    return Number.isFinite(start) && Number.isFinite(from)
      ? { start: millis(start), from: millis(from), skip, settled: new Map(entries) }
      : undefined
  } catch {
    return undefined
  }
}
