import { setTimeout as sleep } from 'node:timers/promises'
import { type Millis, millis } from '../../../functions/domain/brands.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import type { Connection } from '../../connect/connection.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { runningInstance } from '../../connect/running-instance.ts'
import { type EventView, eventView } from '../../operator/event-view.ts'
import { followRecords } from '../../operator/follow.ts'
import { untilEnd } from '../../terminal/end-signal.ts'
import { cell } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { eventRow } from '../print/event-row.ts'

/** A look is sixteen small queries: nothing on a laptop, a few cents a day in AWS at every two seconds. */
const LOOK_EVERY_MS = { local: 250, aws: 2_000 } as const

export interface Wanted {
  readonly since: Millis
  readonly json: boolean
  readonly matches: (record: EventRecord) => boolean
}

/** Prints until Ctrl-C, until nobody reads any more, or until there is nothing left to look at. */
export const followEvents = async (
  connection: Connection,
  wanted: Wanted,
  terminal: Terminal,
): Promise<number | Refusal> => {
  const { signal, ignore } = untilEnd(terminal)
  const pause = (): Promise<boolean> => sleep(LOOK_EVERY_MS[connection.kind], true, { signal }).catch(() => false)
  try {
    const from = millis(connection.now() - wanted.since)
    for await (const record of followRecords(connection.stores.records, { now: connection.now, from, pause })) {
      if (signal.aborted) break
      const event = eventView(record)
      if (wanted.matches(record)) terminal.out(wanted.json ? JSON.stringify(event) : inLine(event, terminal))
    }
    return 0
  } catch (error) {
    if (connection.kind === 'local' && isRefusal(runningInstance())) return refuse('The local instance has ended.')
    throw error
  } finally {
    ignore()
  }
}

/** Nobody knows yet how wide a column will be: statuses and sources line up, the rest follows. */
const inLine = (event: EventView, terminal: Terminal): string => {
  const row = eventRow(event, terminal).map(cell)
  if (!terminal.interactive) return row.join('\t')
  const [at = '', status = '', source = '', ...rest] = row
  const attempts = event.attempts > 1 ? [`attempt ${event.attempts}`] : []
  const gap = ' '.repeat('claimed'.length - event.status.length)
  return [at, status + gap, source.padEnd(10), ...rest, ...attempts].join('  ')
}
