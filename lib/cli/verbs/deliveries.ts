import { operate } from '../../connect/operator-of.ts'
import { isRefusal } from '../../connect/refusal.ts'
import type { DeliveryView } from '../../operator/deliveries.ts'
import type { Operator } from '../../operator/open-operator.ts'
import { printTable } from '../../terminal/table.ts'
import { jsonLines, type Style, type Terminal } from '../../terminal/terminal.ts'
import { allOf, readNumber } from '../flags.ts'
import { readInstant, refuseBackwards } from '../read-instant.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const deliveries = verb({
  summary: 'List deliveries and the answer each got, newest first.',
  operands: ['[id]'],
  flags: {
    source: { value: 'NAME', help: 'Only to this source.', choices: 'sources' },
    since: { value: 'DURATION|TIME', help: 'How far back, such as 15m, 36h or 2026-11-16T01:00:00Z (default 24h).' },
    until: { value: 'DURATION|TIME', help: 'Until when (default now).' },
    limit: { value: 'N', help: 'How many to print at most (default 100).' },
    json: {
      help: 'Print { "deliveries": [{ "time", "source", "outcome", "reason", "status", "durationMs", "attempt", ... }] }.',
    },
    ...TARGET_FLAGS,
  },
  teaches: [
    "<id> is the id of an event (64 hex characters, or the first 12) or the sender's own event id. It lists every delivery of that",
    'event: the first, its duplicates, and those that came while it was in flight. Without an id it lists all deliveries, rejected',
    "ones too. The list is read from the functions' own log lines, so it costs no write. In AWS they appear some seconds late.",
    'attempt is what the sender says about its own tries (Slack, Square, Twitch, Bitbucket, Jira, Neon, Event Grid), else empty.',
    '',
    '  npx hooklatch deliveries evt_1QmX2mHooklatch',
    '  npx hooklatch deliveries --source stripe --since 1h --json | jq ".deliveries[] | select(.status >= 400)"',
  ].join('\n'),
  async run({ flags, positionals: [id] }, terminal) {
    const asked = allOf(
      readNumber(flags.limit, 'limit', { min: 1, max: 10_000, otherwise: 100 }),
      readInstant(flags.since ?? '24h', 'since'),
      readInstant(flags.until ?? '0s', 'until'),
    )
    if (isRefusal(asked)) return asked
    const [limit, since, until] = asked
    const { source } = flags
    const operator = await operate(flags, source)
    if (isRefusal(operator)) return operator
    const now = operator.now()
    const [from, to] = [since(now), until(now)]
    const backwards = refuseBackwards(from, to)
    if (backwards) return backwards
    const found = await operator.deliveries({ ...eventOf(id), source, from, until: to, limit })
    if (flags.json) terminal.out(jsonLines({ deliveries: found }))
    else print(found, terminal)
    return 0
  },
})

const eventOf = (id: string | undefined): Pick<Parameters<Operator['deliveries']>[0], 'id' | 'eventId'> => {
  if (id === undefined) return {}
  return /^[0-9a-f]{12,64}$/.test(id) ? { id } : { eventId: id }
}

const TITLES = ['time (UTC)', 'status', 'outcome', 'source', 'try', 'ms', 'event id', 'why']

const print = (found: readonly DeliveryView[], terminal: Terminal): void => {
  const rows = found.map(each => [
    terminal.interactive ? each.time.slice(0, 23).replace('T', ' ') : each.time,
    terminal.style(styleOf(each.status), String(each.status)),
    each.outcome,
    each.source,
    each.attempt === null ? '-' : String(each.attempt),
    String(each.durationMs),
    each.eventId ?? '-',
    each.reason ?? (each.bodyChanged ? 'another body' : '-'),
  ])
  printTable(terminal, TITLES, rows, 'No delivery in that time.')
}

const styleOf = (status: number): Style => {
  if (status < 300) return 'green'
  return status < 500 ? 'yellow' : 'red'
}
