import { type Millis, millis, seconds, toMillis } from '../../../functions/domain/brands.ts'
import { durationSeconds } from '../../../functions/domain/duration.ts'
import type { Source } from '../../../functions/domain/source.ts'
import type { CompareOrder } from '../../../functions/operate/compare-sent.ts'
import { rememberedSeconds } from '../../../functions/senders/check-schedule.ts'
import { findApi } from '../../../functions/senders/find-api.ts'
import { apiFor } from '../../connect/api-for.ts'
import { apiKeyOf } from '../../connect/api-keys.ts'
import { connectWithSources } from '../../connect/connect.ts'
import { findSource } from '../../connect/find-source.ts'
import { operatorOf } from '../../connect/operator-of.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { endSignal } from '../../terminal/end-signal.ts'
import { allOf, readTypes, readUrl } from '../flags.ts'
import { readInstant, refuseBackwards } from '../read-instant.ts'
import { howOf } from '../steps/how.ts'
import { reconcileSource } from '../steps/reconcile-source.ts'
import { SENDER_FLAGS, SOURCE_FILE_FLAG, TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const reconcile = verb({
  summary: "Compare a sender's own list of events with ours, and take what never arrived.",
  operands: ['<source>'],
  completes: ['sources'],
  flags: {
    since: { value: 'DURATION|TIME', help: 'How far back, such as 2h or 2026-11-16T01:00:00Z (default 24h).' },
    until: { value: 'DURATION|TIME', help: 'Until when (default now).' },
    types: { value: 'TYPES', help: 'Only these, such as invoice.paid,charge.* (default all that the sender lists).' },
    'dry-run': { help: 'Say what is missing, and take nothing.' },
    reason: { value: 'TEXT', help: 'Why you take them. Required without --dry-run, and recorded with your name.' },
    yes: { help: 'Do not ask. Required if there is no terminal.' },
    json: { help: 'Print what was found as JSON (below).' },
    rate: {
      value: 'N/s',
      help: 'Calls of the API a second, or a minute (30/m). Default: what the sender allows easily.',
    },
    next: { value: 'CURSOR', help: 'Go on where an interrupted run ended.' },
    ...SENDER_FLAGS,
    ...SOURCE_FILE_FLAG,
    ...TARGET_FLAGS,
  },
  teaches: [
    'Some senders have a list of what they sent: Stripe, GitHub, GitLab, Paddle, Square, PayPal and others (docs/reconcile.md).',
    'What is in it and not in our records never arrived. It is taken from there like a delivery: claimed, queued, handled once,',
    'also if it arrives by itself meanwhile. GitHub is asked to deliver it again. The API key is read from HOOKLATCH_API_KEY, or is',
    'the one of `npx hooklatch secrets set <source> --api-key`. A run that is interrupted can simply be repeated.',
    'Exit code 0 if nothing is missing or all of it was taken, 3 if something missing is left, 1 if the list could not be read.',
    '',
    '--json: { "source", "since", "until", "listed", "known", "missing": [{ "eventId", "type", "createdAt" }], "taken",',
    '"redelivered", "unknown", "next" }; "unknown" is listed without a usable id, "next" is where to go on.',
    '',
    '  npx hooklatch reconcile stripe --dry-run',
    '  npx hooklatch reconcile stripe --since 3d --types invoice.* --reason "endpoint was disabled" --yes',
    '  npx hooklatch reconcile github --account acme/shop --reason "outage of Monday"',
  ].join('\n'),
  async run({ flags, positionals: [name = ''] }, terminal) {
    const read = allOf(
      readInstant(flags.since ?? '24h', 'since'),
      flags.until === undefined ? undefined : readInstant(flags.until, 'until'),
      readRate(flags.rate),
      readUrl(flags['api-url'], 'api-url'),
      readTypes(flags.types),
    )
    if (isRefusal(read)) return read
    const [since, until, rate, apiUrl, types] = read
    const connected = await connectWithSources(flags)
    if (isRefusal(connected)) return connected
    const { connection, sources } = connected
    const source = findSource(sources, name)
    if (isRefusal(source)) return source
    const api = apiFor(connection, source, { key: apiKeyOf(name), apiUrl, account: flags.account, rate })
    if (isRefusal(api)) return api
    const operator = await operatorOf(connection)
    if (isRefusal(operator)) return operator
    const now = connection.now()
    const remembered = millis(now - toMillis(seconds(rememberedSeconds(source))))
    if (since(now) < remembered) terminal.err(forgotten(source))
    const order = {
      ...api,
      source: name,
      since: millis(Math.max(since(now), remembered)),
      until: until?.(now),
      types: types ?? [],
      after: flags.next ?? null,
      except: [],
    }
    const backwards = refuseBackwards(order.since, order.until ?? now)
    if (backwards) return backwards
    const far = whyTooFar(source, { ...order, since: since(now) }, now)
    if (far !== undefined) terminal.err(far)
    const ctrlC = endSignal()
    const how = { ...howOf(flags, flags.reason ?? ''), stop: ctrlC.signal }
    try {
      return await reconcileSource(operator, order, how, terminal)
    } finally {
      ctrlC.ignore()
    }
  },
})

/** What is older may have been handled and forgotten, and would be taken a second time. */
const forgotten = (source: Source): string => {
  const days = Math.floor(rememberedSeconds(source) / 86_400)
  return `Events of "${source.name}" are remembered long enough to compare the last ${days} days: the run begins there. \`replayWindow\` in sources.ts makes it longer.`
}

/** What is older than the list is not missing: nobody knows. */
const whyTooFar = (
  source: Source,
  { account, since }: Pick<CompareOrder, 'account' | 'since'>,
  now: Millis,
): string | undefined => {
  const found = findApi(source.provider.id, account ?? source.account)
  const back = found.kind === 'found' ? found.api.ledger?.back : undefined
  return back !== undefined && since < now - toMillis(durationSeconds(back))
    ? `The list of ${source.provider.name} goes back ${back}: what is older is not in it.`
    : undefined
}

const readRate = (text: string | undefined): number | undefined | Refusal => {
  if (text === undefined) return undefined
  const [, count = '', unit = 's'] = /^(\d{1,4})(?:\/([sm]))?$/.exec(text) ?? []
  const rate = Number(count) / (unit === 'm' ? 60 : 1)
  return count !== '' && rate > 0 && rate <= 100
    ? rate
    : refuse(`--rate ${text} is not a rate: expected such as 5/s or 30/m.`, 2)
}
