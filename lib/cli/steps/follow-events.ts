import { setTimeout as sleep } from 'node:timers/promises'
import { type Millis, millis } from '../../../functions/domain/brands.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import type { Connection } from '../../connect/connection.ts'
import type { Refusal } from '../../connect/refusal.ts'
import { type EventView, eventView } from '../../operator/event-view.ts'
import { followRecords, LOOK_EVERY_MS } from '../../operator/follow.ts'
import { cell } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { eventRow } from '../print/event-row.ts'
import { keepLooking } from './keep-looking.ts'

export interface Wanted {
  readonly since: Millis
  readonly json: boolean
  readonly matches: (record: EventRecord) => boolean
}

export const followEvents = (connection: Connection, wanted: Wanted, terminal: Terminal): Promise<number | Refusal> =>
  keepLooking(connection, terminal, async signal => {
    const pause = (): Promise<boolean> => sleep(LOOK_EVERY_MS[connection.kind], true, { signal }).catch(() => false)
    const from = millis(connection.now() - wanted.since)
    for await (const record of followRecords(connection.stores.records, { now: connection.now, from, pause })) {
      if (signal.aborted) break
      const event = eventView(record)
      if (wanted.matches(record)) terminal.out(wanted.json ? JSON.stringify(event) : inLine(event, terminal))
    }
  })

/** Nobody knows yet how wide a column will be: statuses and sources line up, the rest follows. */
const inLine = (event: EventView, terminal: Terminal): string => {
  const row = eventRow(event, terminal).map(cell)
  if (!terminal.interactive) return row.join('\t')
  const [at = '', status = '', source = '', ...rest] = row
  const attempts = event.attempts > 1 ? [`attempt ${event.attempts}`] : []
  const gap = ' '.repeat('claimed'.length - event.status.length)
  return [at, status + gap, source.padEnd(10), ...rest, ...attempts].join('  ')
}
