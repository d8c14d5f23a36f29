import { setTimeout as sleep } from 'node:timers/promises'
import { type Millis, millis } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Connection } from '../connect/connection.ts'
import { everySince, LATE_MS, LOOK_EVERY_MS } from '../operator/follow.ts'
import { advance, type Cursor, isSettled, keyOf } from './cursor.ts'
import type { Heard, Listening } from './listening.ts'
import { patiently } from './patiently.ts'
import { sendAgain } from './send-again.ts'

/** Each event once it is settled, oldest first, until the signal. One at a time: this is a developer's server. */
export async function* listenForEvents(listening: Listening): AsyncGenerator<Heard> {
  const { connection, file, signal } = listening
  const progress: Progress = { cursor: listening.cursor, named: new Set() }
  file.write(progress.cursor)
  while (!signal.aborted) {
    yield* settleNew(listening, progress)
    await sleep(LOOK_EVERY_MS[connection.kind], undefined, { signal }).catch(() => undefined)
  }
}

interface Progress {
  cursor: Cursor
  /** Named as not sent, and sent after all if somebody finishes them. */
  readonly named: Set<string>
}

async function* settleNew(listening: Listening, progress: Progress): AsyncGenerator<Heard> {
  const { connection, file } = listening
  const { from } = progress.cursor
  const records = await patiently(() => inOrder(connection, progress), listening)
  if (records === undefined) return
  // An event may still appear behind one that is listed already.
  let reached = millis((records.at(-1)?.claimedAt ?? from) - LATE_MS)
  for (const record of records.filter(each => isNew(each, progress))) {
    const heard = listening.matches(record) ? await sendAgain(record, listening) : 'not wanted'
    if (heard === 'ended') return
    if (heard === 'wait') {
      reached = millis(Math.min(reached, record.claimedAt))
      // Later events wait with it for a moment, so they arrive in order.
      if (connection.now() - record.claimedAt < LATE_MS) break
      continue
    }
    note(record, progress, reached)
    if (heard === 'not wanted') continue
    file.write(progress.cursor)
    yield heard
  }
  progress.cursor = advance(progress.cursor, reached)
  if (progress.cursor.from !== from) file.write(progress.cursor)
}

/**
 * A look is many queries, and an event that is claimed between two of them may be listed without one before it. That one was
 * claimed before the next look begins.
 */
const inOrder = async ({ stores, now }: Connection, progress: Progress): Promise<readonly EventRecord[]> => {
  const look = (): Promise<readonly EventRecord[]> => everySince(stores.records, progress.cursor.from, now())
  const newest = (await look()).filter(each => isNew(each, progress)).at(-1)
  return newest === undefined ? [] : (await look()).filter(({ claimedAt }) => claimedAt <= newest.claimedAt)
}

const isNew = (record: EventRecord, { cursor, named }: Progress): boolean =>
  !isSettled(cursor, record) && !named.has(claimOf(record))

/** Somebody who takes it over claims it anew. */
const claimOf = (record: EventRecord): string => `${keyOf(record)}@${record.claimedAt}`

const note = (record: EventRecord, progress: Progress, reached: Millis): void => {
  // Nobody has finished it for an hour.
  if (record.status === 'claimed' && record.bodyAt === null) progress.named.add(claimOf(record))
  else settle(progress, record)
  progress.cursor = advance(progress.cursor, millis(Math.min(reached, record.claimedAt)))
}

const settle = (progress: Progress, record: EventRecord): void => {
  const settled = new Map(progress.cursor.settled).set(keyOf(record), record.claimedAt)
  progress.cursor = { ...progress.cursor, settled }
}
