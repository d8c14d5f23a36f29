import { STATUSES, type Status } from '../../../functions/contract/status.ts'
import { millis } from '../../../functions/domain/brands.ts'
import { WORKER } from '../../../functions/domain/destinations.ts'
import { connect } from '../../connect/connect.ts'
import type { Connection } from '../../connect/connection.ts'
import { destinationsOf } from '../../connect/destinations-of.ts'
import { instead, unknownSource } from '../../connect/find-source.ts'
import { loadSources } from '../../connect/load-sources.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import type { EventView } from '../../operator/event-view.ts'
import { isCursor, list, matches } from '../../operator/list.ts'
import { printTable } from '../../terminal/table.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { allOf, readDuration, readNumber } from '../flags.ts'
import { EVENT_TITLES, eventRow } from '../print/event-row.ts'
import { readInstant, refuseBackwards } from '../read-instant.ts'
import { followEvents } from '../steps/follow-events.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const events = verb({
  summary: 'List events, newest first, or follow them.',
  operands: [],
  flags: {
    json: { help: 'Print { "events": [...], "next": ... }; with --follow, one event per line.' },
    follow: { help: 'Print events as they appear and as their status changes, until Ctrl-C.' },
    limit: { value: 'N', help: 'How many to print at most (default 100).' },
    source: { value: 'NAME', help: 'Only of this source.', choices: 'sources' },
    status: { value: 'STATUS', help: `Only in this status: ${STATUSES.join(', ')}.`, choices: STATUSES },
    type: { value: 'TYPE', help: 'Only of this type, * for any run of characters: "invoice.*".' },
    destination: { value: 'NAME', help: 'Only those that go there: worker, or a name of destinations.ts.' },
    'event-id': { value: 'ID', help: 'Only with this id from the sender.' },
    until: { value: 'DURATION|TIME', help: 'Only events claimed before this: 1h (ago), or 2026-11-16T01:00:00Z.' },
    since: { value: 'DURATION', help: 'How far back, such as 15m, 36h or 30d (default 30d; with --follow, 15m).' },
    after: { value: 'CURSOR', help: 'Continue after a page: its "next".' },
    ...TARGET_FLAGS,
  },
  teaches: [
    'Reads the local instance that runs in this directory, or a stack. Prints a table on a terminal, and in a pipe one',
    'tab-separated line per event: time, status, source, type, event id, id.',
    '--follow looks four times a second (every two seconds in AWS). A status that lasts for less time may not be printed.',
    '',
    '  npx hooklatch events --source stripe --limit 20',
    '  npx hooklatch events --json | jq -r ".events[].eventId"',
    '  npx hooklatch events --follow --stack Hooklatch-production',
  ].join('\n'),
  async run({ flags }, terminal) {
    const asked = allOf(
      readNumber(flags.limit, 'limit', { min: 1, max: 10_000, otherwise: 100 }),
      readStatus(flags.status),
      readDuration(flags.since, 'since', flags.follow ? '15m' : '30d'),
      readCursor(flags.after),
      flags.until === undefined ? undefined : readInstant(flags.until, 'until'),
      flags.follow ? endless(flags.limit, flags.after ?? flags.until) : undefined,
    )
    if (isRefusal(asked)) return asked
    const [limit, status, since, after, until] = asked
    const connection = await connect(flags)
    if (isRefusal(connection)) return connection
    const filter = {
      source: flags.source,
      status,
      type: flags.type,
      eventId: flags['event-id'],
      destination: flags.destination,
    }
    const json = flags.json === true
    if (flags.follow) {
      const never = await unknownAt(connection, flags)
      return never ?? followEvents(connection, { since, json, matches: record => matches(record, filter) }, terminal)
    }
    const now = connection.now()
    const from = millis(now - since)
    const to = until?.(now)
    const backwards = refuseBackwards(from, to ?? now)
    if (backwards) return backwards
    const page = await list(connection.stores.records, {
      ...filter,
      limit,
      now,
      from,
      until: to,
      after,
    })
    // Events of a source that was taken out of sources.ts are still listed.
    const unknown = page.events.length === 0 ? await unknownAt(connection, flags) : undefined
    if (unknown) return unknown
    if (json) terminal.out(jsonLines(page))
    else print(page.events, page.next, nothing(flags), terminal)
    return 0
  },
})

const unknownAt = async (
  connection: Connection,
  { source, destination }: { readonly source?: string; readonly destination?: string },
): Promise<Refusal | undefined> => {
  const names = [WORKER, ...Object.keys(destinationsOf(connection))]
  if (destination !== undefined && !names.includes(destination)) {
    return refuse(`There is no destination "${destination}": ${instead(names, destination)}`)
  }
  if (source === undefined) return undefined
  const sources = await loadSources(connection.sourceFile)
  return isRefusal(sources) ? sources : unknownSource([...sources.keys()], source)
}

/** What is said instead of an empty table. */
const nothing = (flags: Readonly<Record<string, unknown>>): string =>
  NARROWING.some(name => flags[name] !== undefined)
    ? 'No event matches: `npx hooklatch events` without other flags lists the events of the last 30 days.'
    : 'No events yet. `npx hooklatch send stripe` makes one.'

const NARROWING = ['source', 'status', 'type', 'destination', 'event-id', 'until', 'since', 'after']

const print = (found: readonly EventView[], next: string | null, otherwise: string, terminal: Terminal): void => {
  const rows = found.map(event => eventRow(event, terminal))
  printTable(terminal, EVENT_TITLES, rows, otherwise)
  if (next !== null && terminal.interactive) terminal.out(`There are more: --after '${next}'`)
}

const readStatus = (text: string | undefined): Status | undefined | Refusal => {
  const status = STATUSES.find(candidate => candidate === text)
  if (text === undefined || status !== undefined) return status
  return refuse(`--status ${text} is not a status: expected ${STATUSES.join(', ')}.`, 2)
}

const readCursor = (text: string | undefined): string | undefined | Refusal =>
  text === undefined || isCursor(text)
    ? text
    : refuse(`--after ${text} is not a cursor: expected the "next" of a page.`, 2)

const endless = (limit: string | undefined, after: string | undefined): undefined | Refusal =>
  limit === undefined && after === undefined
    ? undefined
    : refuse('--follow has no pages and no end: leave out --limit, --after and --until.', 2)
