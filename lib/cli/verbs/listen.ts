import type { EventRecord } from '../../../functions/domain/record.ts'
import { matchesType } from '../../../functions/domain/route.ts'
import { connectWithSources } from '../../connect/connect.ts'
import type { Connection } from '../../connect/connection.ts'
import { unknownSource } from '../../connect/find-source.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { cursorFile, resume, startingAt } from '../../listen/cursor.ts'
import { listenForEvents } from '../../listen/listen-for-events.ts'
import { localSecrets } from '../../listen/local-secrets.ts'
import { allOf, readNumber, readUrl } from '../flags.ts'
import { heardPrinter } from '../print/heard-line.ts'
import { readInstant } from '../read-instant.ts'
import { keepLooking } from '../steps/keep-looking.ts'
import { SOURCE_FILE_FLAG, TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const listen = verb({
  summary: 'Send the events of a stack to a server on your laptop, signed again with a local secret.',
  operands: [],
  flags: {
    to: { value: 'URL', help: 'Where to post them, such as http://localhost:3000/hooks. Required.' },
    source: { value: 'NAME', help: 'Only events of this source (default: of all).', choices: 'sources' },
    type: { value: 'TYPE', help: 'Only events of this type; * stands for anything, as in invoice.*' },
    secret: {
      value: 'SECRET',
      help: 'What your server checks signatures with (default: a local one, which is printed).',
    },
    since: {
      value: 'DURATION|TIME',
      help: 'Start so far back, such as 2h (default: where the last run ended; the first time, now).',
    },
    again: { help: 'With --since: also send what was sent before.' },
    rate: { value: 'N', help: 'Events a second at most, 1 to 100 (default 10).' },
    json: { help: 'Print one event per line, with "answer": { "status", "text", "durationMs" } and "problem".' },
    ...SOURCE_FILE_FLAG,
    ...TARGET_FLAGS,
  },
  teaches: [
    'Your server gets the exact bytes and the kept headers of each event, oldest first, one at a time, and a new signature made with',
    'the local secret. So its own check passes, and the real secret stays in AWS. For a sender that signs with a private key, a',
    'local key pair is used: give your server the public key that is printed. A replayed event is sent again.',
    'The directory .hooklatch remembers how far it came, for each stack, --to, --source and --type. What comes while your laptop',
    'sleeps, or while this command does not run, is sent the next time. A server that is down is tried again until it answers. Any',
    'answer counts, also an error: --since 1h --again sends the events of the last hour once more.',
    'Needs the policies ReadPolicy and BodiesPolicy. It changes nothing in the stack. An event whose body is not kept cannot be',
    'sent. It is named and counted.',
    '',
    '  npx hooklatch listen --to http://localhost:3000/hooks',
    '  npx hooklatch listen --stack Hooklatch-production --source stripe --to http://localhost:3000/hooks --secret whsec_local123',
    '  npx hooklatch listen --source stripe --type "invoice.*" --since 2h --to http://localhost:3000/hooks',
  ].join('\n'),
  async run({ flags }, terminal) {
    const asked = allOf(
      readTo(flags.to),
      readNumber(flags.rate, 'rate', { min: 1, max: 100, otherwise: 10 }),
      flags.since === undefined ? undefined : readInstant(flags.since, 'since'),
      flags.again && flags.since === undefined
        ? refuse('--again needs --since: it says how far back to send again, such as --since 1h.', 2)
        : undefined,
    )
    if (isRefusal(asked)) return asked
    const [to, rate, since] = asked
    const found = await connectWithSources(flags)
    if (isRefusal(found)) return found
    const { connection, sources } = found
    const { source, type } = flags
    const unknown = unknownSource([...sources.keys()], source)
    if (unknown) return unknown
    const secrets = localSecrets(sources, source, flags.secret)
    if (isRefusal(secrets)) return secrets
    const now = connection.now()
    const file = cursorFile(process.cwd(), { place: placeOf(connection), to, source, type })
    const from = since?.(now)
    const cursor = flags.again && from !== undefined ? startingAt(from) : resume(file.read(), from, now)
    const tell = (lines: string | readonly string[]): void => (flags.json ? terminal.err(lines) : terminal.out(lines))
    tell(`Events of ${connection.name} go to ${to}. Ctrl-C ends it.`)
    const listening = { connection, sources, to, rate, cursor, file, tell, matches: only(source, type) }
    const secretOf = secrets(tell)
    return keepLooking(connection, terminal, async signal => {
      const printer = heardPrinter(terminal, flags.json === true)
      for await (const heard of listenForEvents({ ...listening, secretOf, signal })) printer.print(heard)
      printer.sum()
    })
  },
})

const readTo = (text: string | undefined): string | Refusal => {
  const to = readUrl(text, 'to')
  if (to === undefined)
    return refuse('--to is missing: say where your server is, such as --to http://localhost:3000/hooks.', 2)
  if (isRefusal(to)) return to
  const { username, password } = new URL(to)
  return username + password === ''
    ? to
    : refuse('--to has a name or a password in it, which would be printed and stored: leave them out.', 2)
}

/** Stacks of one name may be in several regions and accounts. */
const placeOf = (connection: Connection): string =>
  connection.kind === 'local' ? 'local' : [connection.account, connection.region, connection.name].join('/')

const only =
  (source: string | undefined, type = '*') =>
  (record: EventRecord): boolean =>
    (source === undefined || record.source === source) && matchesType(type, record.type ?? '')
