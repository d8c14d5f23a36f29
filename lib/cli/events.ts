import { STATUSES, type Status } from '../../functions/contract/status.ts'
import { millis } from '../../functions/domain/brands.ts'
import { durationSeconds, isDuration } from '../../functions/domain/duration.ts'
import { isRefusal, type Refusal, refuse } from '../local/refusal.ts'
import type { EventView } from '../operator/event-view.ts'
import { list } from '../operator/list.ts'
import { connect } from './connect.ts'
import { allOf, readNumber } from './flags.ts'
import { table } from './table.ts'
import { printable, type Style, type Terminal } from './terminal.ts'
import { verb } from './verb.ts'

export const events = verb({
  summary: 'List events, newest first.',
  operands: [],
  flags: {
    json: { help: 'Print { "events": [...], "next": ... }.' },
    limit: { value: 'N', help: 'At most so many (default 100).' },
    source: { value: 'NAME', help: 'Only of this source.' },
    status: { value: 'STATUS', help: `Only in this status: ${STATUSES.join(', ')}.` },
    since: { value: 'DURATION', help: 'How far back, such as 15m, 36h or 30d (default 30d).' },
    after: { value: 'CURSOR', help: 'Go on where a page ended: its "next".' },
  },
  teaches: [
    'Reads the local instance that runs in this directory. On a terminal it prints a table, in a pipe one',
    'tab-separated line per event: time, status, source, type, event id, id.',
    '',
    '  npx hooklatch events --source stripe --limit 20',
    '  npx hooklatch events --json | jq -r ".events[].eventId"',
  ].join('\n'),
  async run({ flags }, terminal) {
    const asked = allOf(
      readNumber(flags.limit, 'limit', { min: 1, max: 10_000, otherwise: 100 }),
      readStatus(flags.status),
      readSince(flags.since),
      readCursor(flags.after),
    )
    if (isRefusal(asked)) return asked
    const [limit, status, since, after] = asked
    const desk = connect()
    if (isRefusal(desk)) return desk
    const now = desk.now()
    const from = millis(now - since)
    const page = await list(desk.events, { limit, now, from, status, after, source: flags.source })
    if (flags.json) terminal.out(JSON.stringify(page, null, 2))
    else print(page.events, page.next, terminal)
    return 0
  },
})

const print = (found: readonly EventView[], next: string | null, terminal: Terminal): void => {
  const rows = found.map(event => [
    terminal.interactive ? event.updatedAt.slice(0, 19).replace('T', ' ') : event.updatedAt,
    terminal.style(STATUS_STYLES[event.status], event.status),
    event.source,
    cell(event.type ?? '-'),
    cell(event.eventId),
    terminal.interactive ? `${event.id.slice(0, 12)}…` : event.id,
  ])
  if (rows.length > 0) {
    for (const line of table(terminal, ['updated (UTC)', 'status', 'source', 'type', 'event id', 'id'], rows))
      terminal.out(line)
  } else if (terminal.interactive) terminal.out('No events yet. `npx hooklatch send stripe` makes one.')
  if (next !== null && terminal.interactive) terminal.out(`There are more: --after '${next}'`)
}

/** One line, one cell. */
const cell = (text: string): string => printable(text).replace(/[\n\t]/g, ' ')

const STATUS_STYLES = {
  claimed: 'yellow',
  queued: 'cyan',
  working: 'cyan',
  done: 'green',
  failed: 'red',
} as const satisfies Record<Status, Style>

const readStatus = (text: string | undefined): Status | undefined | Refusal => {
  const status = STATUSES.find(candidate => candidate === text)
  if (text === undefined || status !== undefined) return status
  return refuse(`--status ${text} is not a status: expected ${STATUSES.join(', ')}.`, 2)
}

export const readSince = (text = '30d'): number | Refusal =>
  isDuration(text)
    ? durationSeconds(text) * 1000
    : refuse(`--since ${text} is not a duration: expected a whole number and a unit, such as 15m, 36h or 30d.`, 2)

const readCursor = (text: string | undefined): string | undefined | Refusal =>
  text === undefined || /^\d{4}-\d\d-\d\dT[\d:.]+Z#[0-9a-f]+$/.test(text)
    ? text
    : refuse(`--after ${text} is not a cursor: expected the "next" of a page.`, 2)
