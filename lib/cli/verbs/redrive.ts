import { millis } from '../../../functions/domain/brands.ts'
import { operate } from '../../connect/operator-of.ts'
import { isRefusal, refuse } from '../../connect/refusal.ts'
import type { Operator } from '../../operator/open-operator.ts'
import { printTable } from '../../terminal/table.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { allOf, leaveOut } from '../flags.ts'
import { EVENT_TITLES, eventRow } from '../print/event-row.ts'
import { howOf, readReason } from '../steps/how.ts'
import { leaveOutMany, readBulk, replayByFilter } from '../steps/replay-bulk.ts'
import { replayOne, TO_NEEDS_ID } from '../steps/replay-one.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const redrive = verb({
  summary: 'Give events that failed for good another try, or list them.',
  operands: ['[id]'],
  flags: {
    reason: { value: 'TEXT', help: 'Why. Required to redrive, and recorded with your name before anything happens.' },
    source: { value: 'NAME', help: 'All failed events of this source.', choices: 'sources' },
    all: { help: 'All failed events.' },
    type: { value: 'TYPE', help: 'Only events of this type.' },
    since: { value: 'DURATION|TIME', help: 'How far back, such as 2h or 2026-11-16T01:00:00Z (default 14d).' },
    until: { value: 'DURATION|TIME', help: 'Until when (default now).' },
    yes: { help: 'Do not ask. Required if there is no terminal.' },
    json: { help: 'Print JSON, as `npx hooklatch replay --help` describes it.' },
    'dry-run': { help: 'Count what would be redriven, and redrive nothing.' },
    count: { value: 'N', help: 'The number a dry run printed; needed above 1,000 events.' },
    rate: { value: 'N', help: 'Replays a second, 1 to 100 (default 10).' },
    to: { value: 'DESTINATION', help: 'With <id>: of an event with several destinations, this one alone.' },
    ...TARGET_FLAGS,
  },
  teaches: [
    'Without an id, --source or --all it lists the failed events and why they failed. A redrive replays a failed event: from',
    'its stored body, as a new generation, with the same idempotency key. Bodies of failed events are kept for 14 days.',
    'Continue an interrupted one with npx hooklatch replay --resume JOB.',
    '--json of the list: { "events": [...], "next", "waiting" }; waiting counts dead letters that are not buried yet.',
    '',
    '  npx hooklatch redrive',
    '  npx hooklatch redrive evt_1QmX2mHooklatch --reason "handler fixed"',
    '  npx hooklatch redrive --source stripe --reason "database is back" --yes --json',
  ].join('\n'),
  async run({ flags, positionals: [id] }, terminal) {
    const many = flags.all === true || flags.source !== undefined
    const listing = id === undefined && !many
    const asked = allOf(
      listing || flags['dry-run'] ? '' : readReason(flags.reason),
      readBulk({ since: '14d', ...flags, status: 'failed' }),
      flags.to !== undefined && id === undefined ? refuse(TO_NEEDS_ID, 2) : undefined,
      id === undefined ? undefined : leaveOutMany(flags),
      listing
        ? leaveOut(flags, TO_REDRIVE, 'Say what to redrive: an id, --source or --all. For a list of all that failed')
        : undefined,
      flags.all && (flags.source !== undefined || id !== undefined)
        ? refuse('--all is everything: leave out the id and --source, or leave out --all.', 2)
        : undefined,
    )
    if (isRefusal(asked)) return asked
    const [reason, bulk] = asked
    const operator = await operate(flags, flags.source)
    if (isRefusal(operator)) return operator
    const how = howOf(flags, reason)
    if (listing) return listFailed(operator, how.json, terminal)
    return id === undefined
      ? replayByFilter(operator, bulk, how, terminal)
      : replayOne(operator, { id, source: flags.source, to: flags.to }, { ...how, act: 'redrive' }, terminal)
  },
})

/** What a list of the failed events has no use for. */
const TO_REDRIVE = ['reason', 'type', 'since', 'until', 'yes', 'dry-run', 'count', 'rate']

const LOOK_BACK_MS = 14 * 86_400_000
const MOST = 100

const listFailed = async (operator: Operator, json: boolean, terminal: Terminal): Promise<number> => {
  const page = await operator.deadLetters({ limit: MOST, from: millis(operator.now() - LOOK_BACK_MS) })
  if (json) {
    terminal.out(jsonLines(page))
    return 0
  }
  const rows = page.events.map(event => eventRow(event, terminal))
  printTable(terminal, EVENT_TITLES, rows, 'No event has failed for good.')
  if (page.why !== undefined) terminal.err(page.why)
  if (page.waiting && terminal.interactive) {
    terminal.out(
      `${page.waiting} dead ${page.waiting === 1 ? 'letter is' : 'letters are'} waiting to be buried, and will be listed as failed in a moment.`,
    )
  }
  return 0
}
