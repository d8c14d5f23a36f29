import { operate } from '../../connect/operator-of.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { allOf } from '../flags.ts'
import { howOf, readReason } from '../steps/how.ts'
import { cancel, leaveOutForJob, leaveOutMany, readBulk, replayByFilter, resume } from '../steps/replay-bulk.ts'
import { replayOne, TO_NEEDS_ID } from '../steps/replay-one.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const replay = verb({
  summary: 'Run an event again that is done, failed or ignored, or many events.',
  operands: ['[id]'],
  flags: {
    reason: { value: 'TEXT', help: 'Why. Required, and recorded with your name before anything happens.' },
    yes: { help: 'Do not ask. Required if there is no terminal.' },
    json: { help: 'Print the answer as JSON (below).' },
    source: {
      value: 'NAME',
      help: 'Events of this source; with <id>, the source if two senders use that id.',
      choices: 'sources',
    },
    status: { value: 'STATUS', help: 'Only done, only failed or only ignored (default: done and failed).' },
    type: { value: 'TYPE', help: 'Only events of this type, * for any run of characters.' },
    since: { value: 'DURATION|TIME', help: 'How far back, such as 2h or 2026-11-16T01:00:00Z (default 24h).' },
    until: { value: 'DURATION|TIME', help: 'Until when (default now).' },
    'dry-run': { help: 'Count what would be replayed, and replay nothing.' },
    count: { value: 'N', help: 'The number a dry run printed; needed above 1,000 events.' },
    rate: { value: 'N', help: 'Replays a second, 1 to 100 (default 10).' },
    resume: { value: 'JOB', help: 'Continue a bulk replay that was interrupted.' },
    cancel: { value: 'JOB', help: 'End a bulk replay, wherever it runs.' },
    to: { value: 'DESTINATION', help: 'With <id>: of an event with several destinations, this one alone.' },
    ...TARGET_FLAGS,
  },
  teaches: [
    'A replay skips deduplication on purpose: the event goes to the queue once more, from its stored body, as a new generation. A',
    'handler sees the generation; its idempotency key changes only if the event was done. An event that is in flight is refused,',
    'and one that somebody replayed less than three seconds ago is not replayed twice.',
    'A bulk replay is recorded first: after Ctrl-C or lost credentials, --resume continues where it stopped. Exit code 0 if',
    'everything was replayed, 1 if something could not be, 2 if the command line is wrong.',
    '',
    '--json of one: { "result": "replayed" | "already-replayed" | "unknown" | "in-flight" | "no-body" | "erased" | "no-source" |',
    '"no-route" | "no-destination" | "unavailable", "message", "id", "generation", "queued", "status", "destinations", "by",',
    '"at" }, those that apply.',
    '--json of many: { "result": "finished" | "stopped" | "cancelled" | "unavailable", "job": { "id", "replayed", "refused", ... } };',
    'of a dry run: { "result": "dry-run", "count", "done", "failed", "ignored", "inFlight", "withoutBody", "oldest", "newest" }.',
    '',
    '  npx hooklatch replay evt_1QmX2mHooklatch --reason "handler fixed in 1.4.2"',
    '  npx hooklatch replay evt_1QmX2mHooklatch --reason "handler fixed" --yes --json',
    '  npx hooklatch replay --source stripe --type invoice.paid --since 2h --dry-run',
    '  npx hooklatch replay --source stripe --status failed --since 2h --reason "database was down" --rate 50',
    '  npx hooklatch replay --source stripe --status ignored --type "invoice.*" --since 2d --reason "routed to billing now"',
    '  npx hooklatch replay --resume 3f9c2a71b0de',
  ].join('\n'),
  async run({ flags, positionals: [id] }, terminal) {
    const job = flags.resume ?? flags.cancel
    if (job !== undefined) {
      const wrong = leaveOutForJob(flags, id)
      if (wrong) return wrong
      const operator = await operate(flags)
      if (isRefusal(operator)) return operator
      return (flags.resume === undefined ? cancel : resume)(operator, job, flags.json === true, terminal)
    }
    const asked = allOf(readWhat(id, flags), flags['dry-run'] && !id ? '' : readReason(flags.reason), readBulk(flags))
    if (isRefusal(asked)) return asked
    const [, reason, bulk] = asked
    const operator = await operate(flags, flags.source)
    if (isRefusal(operator)) return operator
    const how = howOf(flags, reason)
    return id === undefined
      ? replayByFilter(operator, bulk, how, terminal)
      : replayOne(operator, { id, source: flags.source, to: flags.to }, { ...how, act: 'replay' }, terminal)
  },
})

const FILTERS = ['source', 'status', 'type'] as const

/** Everything of the last day is nobody's intention. */
const readWhat = (
  id: string | undefined,
  flags: Partial<Record<(typeof FILTERS)[number] | 'to', unknown>>,
): undefined | Refusal => {
  if (id !== undefined) return leaveOutMany(flags)
  if (flags.to !== undefined) return refuse(TO_NEEDS_ID, 2)
  if (FILTERS.some(name => flags[name] !== undefined)) return undefined
  return refuse('Say what to replay: an id, or a filter (--source, --status, --type). --since alone is not enough.', 2)
}
