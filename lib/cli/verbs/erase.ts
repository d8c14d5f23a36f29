import { operate } from '../../connect/operator-of.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { allOf, leaveOut } from '../flags.ts'
import { readInstant } from '../read-instant.ts'
import { eraseBefore, eraseOne, resumeErase } from '../steps/erase-events.ts'
import { howOf, readReason } from '../steps/how.ts'
import { cancel, leaveOutForJob, readAmount } from '../steps/replay-bulk.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const erase = verb({
  summary: 'Erase the personal data of an event, or of all events of a source before a time.',
  operands: [],
  flags: {
    event: { value: 'ID', help: 'One event: the id in our answer, its first 12 characters, or the sender’s own id.' },
    source: {
      value: 'NAME',
      help: 'With --before: every event of this source. With --event: the source, if two senders use that id.',
      choices: 'sources',
    },
    before: { value: 'DURATION|TIME', help: 'Events that first came before, such as 90d or 2026-11-16T01:00:00Z.' },
    reason: { value: 'TEXT', help: 'Why. Required, and recorded with your name before anything happens.' },
    yes: { help: 'Do not ask. Required if there is no terminal.' },
    'dry-run': { help: 'Say what would be erased, and erase nothing.' },
    count: { value: 'N', help: 'The number a dry run printed; needed above 1,000 events.' },
    rate: { value: 'N', help: 'Events a second, 1 to 100 (default 10).' },
    resume: { value: 'JOB', help: 'Continue an erasure that was interrupted.' },
    cancel: { value: 'JOB', help: 'End an erasure, wherever it runs. What is erased stays erased.' },
    json: { help: 'Print the answer as JSON (below).' },
    ...TARGET_FLAGS,
  },
  teaches: [
    'An event loses its body, headers and errors wherever we keep them: records, copies, audits, bodies of earlier generations,',
    'captures. With --before, what quarantine and captures hold of that time goes, too. The event itself is remembered: its id,',
    'type, times and the hash of its body stay, a repeat is a duplicate and brings nothing back, and it can never be replayed.',
    'An event in flight is refused, because its message holds its body. Who erased what and why is recorded.',
    'Exit code 0 if everything was erased, 1 if something could not be, 2 if the command line is wrong.',
    '',
    '--json of one: { "result": "erased" | "already-erased" | "unknown" | "in-flight" | "unavailable", "message", "id", "eventId",',
    '"source", "at", "bodies", "deliveries", "copies", "remains" }, those that apply; of many: { "result": "finished" | "stopped" |',
    '"cancelled" | "unavailable", "job": { "id", "replayed", "deliveries", "refused", ... } }; of a dry run: { "result": "dry-run", "count", ... }.',
    '',
    '  npx hooklatch erase --event evt_1QmX2mHooklatch --reason "request of the customer, ticket 4711"',
    '  npx hooklatch erase --source stripe --before 2026-01-01 --dry-run',
    '  npx hooklatch erase --source stripe --before 90d --reason "retention" --yes --count 812 --json',
  ].join('\n'),
  async run({ flags }, terminal) {
    const json = flags.json === true
    const job = flags.resume ?? flags.cancel
    if (job !== undefined) {
      const wrong = leaveOutForJob(flags)
      if (wrong) return wrong
      const operator = await operate(flags)
      if (isRefusal(operator)) return operator
      return (flags.resume === undefined ? cancel : resumeErase)(operator, job, json, terminal)
    }
    const asked = allOf(
      readWhat(flags),
      flags['dry-run'] ? '' : readReason(flags.reason),
      readInstant(flags.before ?? '0s', 'before'),
      readAmount(flags),
    )
    if (isRefusal(asked)) return asked
    const [, reason, before, amount] = asked
    const operator = await operate(flags, flags.source)
    if (isRefusal(operator)) return operator
    const how = howOf(flags, reason)
    const { event, source = '' } = flags
    return event === undefined
      ? eraseBefore(operator, { source, before: before(operator.now()) }, amount, how, terminal)
      : eraseOne(operator, { id: event, source: flags.source }, how, terminal)
  },
})

const readWhat = (flags: Partial<Record<'event' | 'source' | 'before', string>>): undefined | Refusal => {
  const { event, source, before } = flags
  if (event !== undefined) {
    return leaveOut(flags, ['before', 'count', 'rate'], '--event is one event, and the rest is for many of a source')
  }
  if (source !== undefined && before !== undefined) return undefined
  return refuse('Say what to erase: --event ID, or --source NAME with --before TIME.', 2)
}
