import { parseArgs } from 'node:util'
import { type Instance, readInstance } from '../../lib/connect/instance.ts'
import { endLocals, startLocal, workplace } from '../support/local-rig.ts'
import { repeatAfterExpiry } from './expiry.ts'
import { hotKey } from './hot-key.ts'
import { describeLoad, load } from './load.ts'
import { eventsOf, type Mix } from './mix.ts'

/** `npm run load -- --deliveries 100000`: exit code 1 when the ledger does not balance. */
const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '10000' },
    events: { type: 'string' },
    connections: { type: 'string', default: '50' },
    duplicates: { type: 'string', default: '0.15' },
    concurrent: { type: 'string', default: '0.1' },
    forged: { type: 'string', default: '0.1' },
    malformed: { type: 'string', default: '0.05' },
    seed: { type: 'string', default: '1' },
    hot: { type: 'string', default: '1000' },
    expired: { type: 'string', default: '50' },
    url: { type: 'string' },
  },
})

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const refuse = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`)
  process.exit(2)
}

const number = (name: Exclude<keyof typeof values, 'url'>, most: number): number => {
  const value = Number(values[name])
  return value >= 0 && value <= most ? value : refuse(`--${name} ${values[name]} is not a number from 0 to ${most}.`)
}

const mixOf = (): Mix => {
  const mix = {
    deliveries: number('deliveries', 100_000_000),
    connections: number('connections', 10_000),
    duplicates: number('duplicates', 1),
    concurrent: number('concurrent', 1),
    forged: number('forged', 1),
    malformed: number('malformed', 1),
    seed: number('seed', 2 ** 31),
  }
  return { ...mix, events: values.events === undefined ? eventsOf(mix) : number('events', mix.deliveries) }
}

/** Nobody else's receiver is ever put under load: only loopback, and only a local instance whose store can be read. */
const givenLocal = (url: string): Instance => {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  if (!/^(127(\.\d{1,3}){3}|localhost|\[::1\])$/.test(host)) return refuse(`--url ${url} is not of this machine.`)
  const instance = readInstance(process.cwd())
  if (instance && new URL(instance.url).port === new URL(url).port) return instance
  return refuse(`No local instance of this directory listens on ${url}: its ledger could not be read.`)
}

const mix = mixOf()
const MOST_SENTENCES = 20
const problems: string[] = []
const note = (found: readonly string[]): void => {
  for (const sentence of found.slice(0, MOST_SENTENCES)) print(`! ${sentence}`)
  problems.push(...found)
}

try {
  const own = values.url === undefined ? await startLocal(workplace()) : undefined
  const local = own ?? givenLocal(values.url ?? '')
  print(
    `${mix.deliveries} deliveries of ${mix.events} events over ${mix.connections} connections to ${local.url}, seed ${mix.seed}`,
  )
  const report = await load(local, mix, own?.out)
  print(describeLoad(report))
  note(report.imbalances)

  const hot = number('hot', 5_000)
  if (hot > 0) {
    const { counts, imbalances } = await hotKey(local, hot)
    print(`hot key      ${hot} at once: ${JSON.stringify(counts)}`)
    note(imbalances)
  }
  own?.pressCtrlC()
  await own?.finished

  const expired = number('expired', 10_000)
  if (expired > 0) {
    const wrong = await repeatAfterExpiry(workplace(), expired)
    print(`expiry       ${expired} events on days 0, 17 and 31: ${wrong.length === 0 ? 'as they should be' : 'wrong'}`)
    note(wrong)
  }
} finally {
  endLocals()
}
print(problems.length === 0 ? 'The ledger balances.' : `The ledger does not balance: ${problems.length} problems.`)
process.exitCode = problems.length === 0 ? 0 : 1
