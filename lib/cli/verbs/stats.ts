import { unknownSource } from '../../connect/find-source.ts'
import { operate } from '../../connect/operator-of.ts'
import { isRefusal, refuse } from '../../connect/refusal.ts'
import type { SourceStats } from '../../operator/source-stats.ts'
import type { Stats } from '../../operator/stats.ts'
import { printTable } from '../../terminal/table.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { allOf, readDuration } from '../flags.ts'
import { readInstant, refuseBackwards } from '../read-instant.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

/** As the alarm has it: more than a sender's ordinary retries. */
const MANY_DUPLICATES = 0.05

export const stats = verb({
  summary: 'Count what each source received: accepted, duplicate, rejected and why, failed, latency.',
  operands: [],
  flags: {
    source: { value: 'NAME', help: 'Only this source.', choices: 'sources' },
    since: { value: 'DURATION|TIME', help: 'How far back, such as 1h or 2026-11-16T01:00:00Z (default 24h).' },
    until: { value: 'DURATION|TIME', help: 'Until when (default now).' },
    every: { value: 'DURATION', help: 'The length of one time step in --json (default 1h).' },
    json: {
      help: 'Print { "from", "until", "bucketMs", "sources": [{ "source", "accepted", ..., "buckets": [...] }], "truncated" }.',
    },
    ...TARGET_FLAGS,
  },
  teaches: [
    "Counted from the functions' own log lines. done, failed and ignored count events, everything else counts deliveries. The duplicate rate is",
    'the share of duplicates among accepted and duplicate deliveries. Above 5 % a sender probably does not get its answers in time.',
    '',
    '  npx hooklatch stats --since 1h',
    '  npx hooklatch stats --source stripe --since 7d --every 1d --json',
  ].join('\n'),
  async run({ flags }, terminal) {
    const asked = allOf(
      readInstant(flags.since ?? '24h', 'since'),
      readInstant(flags.until ?? '0s', 'until'),
      readDuration(flags.every, 'every', '1h'),
    )
    if (isRefusal(asked)) return asked
    const [since, until, bucketMs] = asked
    const operator = await operate(flags)
    if (isRefusal(operator)) return operator
    const now = operator.now()
    const [from, to] = [since(now), until(now)]
    const backwards = refuseBackwards(from, to)
    if (backwards) return backwards
    if ((to - from) / bucketMs > MOST_BUCKETS) {
      return refuse(`That is more than ${MOST_BUCKETS} steps: choose a longer --every or a shorter --since.`, 2)
    }
    const found = await operator.stats({ from, until: to, source: flags.source, bucketMs })
    const unknown = found.sources.length === 0 ? unknownSource(operator.sources, flags.source) : undefined
    if (unknown) return unknown
    if (flags.json) terminal.out(jsonLines(found))
    else print(found, terminal)
    return 0
  },
})

const MOST_BUCKETS = 2_000

const TITLES = [
  'source',
  'received',
  'accepted',
  'duplicate',
  'in flight',
  'rejected',
  '5xx',
  'done',
  'failed',
  'ignored',
  'p50',
  'p95',
  'p99',
]

const print = ({ sources, truncated }: Stats, terminal: Terminal): void => {
  const rows = sources.map(each => [
    each.source,
    ...[each.received, each.accepted].map(String),
    withRate(each, terminal),
    String(each.inFlight),
    withReasons(each, terminal),
    each.unavailable > 0 ? terminal.style('red', String(each.unavailable)) : '0',
    String(each.done),
    each.failed > 0 ? terminal.style('red', String(each.failed)) : '0',
    String(each.ignored),
    ...(['p50', 'p95', 'p99'] as const).map(name => (each.latency === null ? '-' : `${each.latency[name]} ms`)),
  ])
  printTable(terminal, TITLES, rows, 'Nothing was received in that time.')
  if (truncated)
    terminal.err('There are more log lines than were read, so these figures are incomplete: choose a shorter --since.')
}

const withRate = ({ duplicate, duplicateRate }: SourceStats, terminal: Terminal): string => {
  if (duplicate === 0) return '0'
  const text = `${duplicate} (${(100 * duplicateRate).toFixed(1)} %)`
  return duplicateRate > MANY_DUPLICATES ? terminal.style('yellow', text) : text
}

const withReasons = ({ rejected, rejectedBy }: SourceStats, terminal: Terminal): string =>
  rejected === 0
    ? '0'
    : terminal.style(
        'yellow',
        Object.entries(rejectedBy)
          .map(([reason, count]) => `${count} ${reason}`)
          .join(', '),
      )
