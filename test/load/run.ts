import { allOf, readNumber } from '../../lib/cli/flags.ts'
import { type Instance, readInstance } from '../../lib/connect/instance.ts'
import { isRefusal, type Refusal, refuse } from '../../lib/connect/refusal.ts'
import { endLocals, startLocal, workplace } from '../support/local-rig.ts'
import { print, tool } from '../tools/tool.ts'
import { repeatAfterExpiry } from './expiry.ts'
import { hotKey } from './hot-key.ts'
import { describeLoad, load } from './load.ts'
import { eventsOf, type Mix } from './mix.ts'

export const loading = tool({
  summary: 'Puts `npm start` under load and compares answers, records and log lines to the last unit.',
  teaches: 'A share is a number from 0 to 1, of all deliveries. Exit code 1 if the ledger does not balance.',
  flags: {
    deliveries: { value: 'N', help: 'how many (default 10000)' },
    events: { value: 'N', help: 'how many distinct ones are in them (default: what the shares leave)' },
    connections: { value: 'N', help: 'how many at once (default 50)' },
    duplicates: { value: 'SHARE', help: 'repeats after the first was answered (default 0.15)' },
    concurrent: { value: 'SHARE', help: 'repeats together with the first (default 0.1)' },
    forged: { value: 'SHARE', help: 'deliveries with a wrong signature (default 0.1)' },
    malformed: { value: 'SHARE', help: 'deliveries that cannot be read (default 0.05)' },
    seed: { value: 'S', help: 'of the order (default 1)' },
    hot: { value: 'N', help: 'so many deliveries of one event at once, afterwards (default 1000)' },
    expired: { value: 'N', help: 'so many events again after they were forgotten, afterwards (default 50)' },
    url: { value: 'URL', help: 'a receiver that already runs in this directory (default: one of its own)' },
  },
  async run({ flags }) {
    const asked = allOf(mixOf(flags), whole(flags, 'hot', 1_000, 5_000), whole(flags, 'expired', 50, 10_000))
    if (isRefusal(asked)) return asked
    const given = flags.url === undefined ? undefined : givenLocal(flags.url)
    if (isRefusal(given)) return given
    const [mix, hot, expired] = asked
    try {
      const problems = await problemsOf(mix, hot, expired, given)
      print(problems === 0 ? 'The ledger balances.' : `The ledger does not balance: ${problems} problems.`)
      return problems === 0 ? 0 : 1
    } finally {
      endLocals()
    }
  },
})

type Texts = Readonly<Record<string, string | undefined>>

const whole = (flags: Texts, name: string, otherwise: number, max: number): number | Refusal =>
  readNumber(flags[name], name, { min: 0, max, otherwise })

const share = (flags: Texts, name: string, otherwise: number): number | Refusal => {
  const text = flags[name]
  if (text === undefined) return otherwise
  return /^(0(\.\d+)?|1(\.0+)?)$/.test(text)
    ? Number(text)
    : refuse(`--${name} ${text} is not a number from 0 to 1.`, 2)
}

const mixOf = (flags: Texts): Mix | Refusal => {
  const read = allOf(
    whole(flags, 'deliveries', 10_000, 100_000_000),
    whole(flags, 'connections', 50, 10_000),
    share(flags, 'duplicates', 0.15),
    share(flags, 'concurrent', 0.1),
    share(flags, 'forged', 0.1),
    share(flags, 'malformed', 0.05),
    whole(flags, 'seed', 1, 2 ** 31),
  )
  if (isRefusal(read)) return read
  const [deliveries, connections, duplicates, concurrent, forged, malformed, seed] = read
  const mix = { deliveries, connections, duplicates, concurrent, forged, malformed, seed }
  const events = whole(flags, 'events', eventsOf(mix), deliveries)
  return isRefusal(events) ? events : { ...mix, events }
}

/** Nobody else's receiver is ever put under load: only loopback, and only one whose store can be read. */
const givenLocal = (url: string): Instance | Refusal => {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  if (!/^(127(\.\d{1,3}){3}|localhost|\[::1\])$/.test(host)) return refuse(`--url ${url} is not of this machine.`, 2)
  const instance = readInstance(process.cwd())
  if (instance && new URL(instance.url).port === new URL(url).port) return instance
  return refuse(`No receiver of this directory listens on ${url}: its ledger could not be read.`, 2)
}

const problemsOf = async (mix: Mix, hot: number, expired: number, given: Instance | undefined): Promise<number> => {
  let problems = 0
  const note = (found: readonly string[]): void => {
    for (const sentence of found.slice(0, MOST_SENTENCES)) print(`! ${sentence}`)
    problems += found.length
  }
  const own = given ? undefined : await startLocal(workplace())
  const local = (given ?? own) as Instance
  const { deliveries, events, connections, seed } = mix
  print(`${deliveries} deliveries of ${events} events over ${connections} connections to ${local.url}, seed ${seed}`)
  const report = await load(local, mix, own?.out)
  print(describeLoad(report))
  note(report.imbalances)
  if (hot > 0) {
    const { counts, imbalances } = await hotKey(local, hot)
    print(`hot key      ${hot} at once: ${JSON.stringify(counts)}`)
    note(imbalances)
  }
  own?.pressCtrlC()
  await own?.finished
  if (expired > 0) {
    const wrong = await repeatAfterExpiry(workplace(), expired)
    print(`expiry       ${expired} events on days 0, 17 and 31: ${wrong.length === 0 ? 'as they should be' : 'wrong'}`)
    note(wrong)
  }
  return problems
}

const MOST_SENTENCES = 20
