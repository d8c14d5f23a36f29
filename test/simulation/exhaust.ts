import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import type { Setup } from './exhaustive/programs.ts'
import { type Bound, type Found, KINDS, search } from './exhaustive/search.ts'

const SETUPS: readonly Setup[] = (['github', 'stripe'] as const).flatMap(source =>
  (['effect', 'commit', 'unprocessable'] as const).map(mode => ({ source, mode })),
)

const nameOf = ({ source, mode }: Setup): string => `${source}/${mode}`

const HELP = `Two deliveries of one event, one recovery and one consumer: the real verbs, in every order of their remote calls.

npm run exhaust -- [--faults N] [--leaps N] [--only SETUP] [--json FILE]

  --faults N   at most so many faults in one interleaving, at any call, of any kind (default 2)
  --leaps N    how often the clock leaps past every lease, between any two steps (default 0)
  --only SETUP one of ${SETUPS.map(nameOf).join(', ')}
  --json FILE  write { bound, setups, interleavings, states, transitions, faults, checks, violations }

Exit code 1 on a violation, which is printed with the steps that lead to it.`

/** A bigint has no JSON. */
type Told = Omit<Found, 'interleavings'> & { readonly interleavings: string }

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const refuse = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`)
  process.exit(2)
}

const flags = () => {
  try {
    const text = { type: 'string' } as const
    const options = {
      faults: { ...text, default: '2' },
      leaps: { ...text, default: '0' },
      only: text,
      json: text,
      share: text,
      help: { type: 'boolean' },
    } as const
    return parseArgs({ options }).values
  } catch (error) {
    return refuse(`${(error as Error).message}\n\n${HELP}`)
  }
}

/** Two leaps are as many as a signature's age allows. */
const MOST = { faults: 3, leaps: 2 } as const

const count = (name: keyof typeof MOST, text: string): number =>
  /^\d$/.test(text) && Number(text) <= MOST[name]
    ? Number(text)
    : refuse(`--${name} is ${JSON.stringify(text)}: expected a whole number from 0 to ${MOST[name]}`)

const chosen = (name: string): Setup =>
  SETUPS.find(setup => nameOf(setup) === name) ??
  refuse(`--only is ${JSON.stringify(name)}: expected one of ${SETUPS.map(nameOf).join(', ')}`)

const exhaust = async (): Promise<void> => {
  const given = flags()
  if (given.help) return say(HELP)
  const bound = { faults: count('faults', given.faults), leaps: count('leaps', given.leaps) }
  if (given.share !== undefined) return one(chosen(given.share), bound)
  const startedAt = Date.now()
  const all = await inParallel(given.only === undefined ? SETUPS : [chosen(given.only)], bound)
  const whole = { bound, ...sum(all) }
  print(whole, (Date.now() - startedAt) / 1000)
  if (given.json !== undefined) writeFileSync(given.json, `${JSON.stringify(whole, null, 2)}\n`)
  process.exitCode = whole.violations.length > 0 ? 1 : 0
}

/** One setup, in a process of its own. */
const one = async (setup: Setup, bound: Bound): Promise<void> => {
  const found = await search(setup, bound)
  process.stdout.write(JSON.stringify({ ...found, interleavings: String(found.interleavings) }))
}

const inParallel = async (setups: readonly Setup[], bound: Bound): Promise<Told[]> => {
  const left = [...setups]
  const all: Told[] = []
  const worker = async (): Promise<void> => {
    for (let setup = left.shift(); setup; setup = left.shift()) {
      const told = await inChild(setup, bound)
      const name = nameOf(setup).padEnd(22)
      say(`${name} ${told.states} states, ${told.interleavings} interleavings, ${told.violations.length} violations`)
      all.push(told)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return all
}

const inChild = (setup: Setup, { faults, leaps }: Bound): Promise<Told> =>
  new Promise((resolve, reject) => {
    const own = ['--faults', String(faults), '--leaps', String(leaps), '--share', nameOf(setup)]
    // Millions of states are remembered.
    const node = [...process.execArgv, '--max-old-space-size=12000', import.meta.filename]
    const child = spawn(process.execPath, [...node, ...own], { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', data => {
      said += data
    })
    child.on('error', reject)
    child.on('exit', code =>
      code === 0 ? resolve(JSON.parse(said)) : reject(new Error(`a search ended with code ${code}`)),
    )
  })

const sum = (all: readonly Told[]) => {
  const faults: Record<string, Record<string, number>> = {}
  for (const [call, kinds] of all.flatMap(told => Object.entries(told.faults))) {
    const sums = faults[call] ?? {}
    faults[call] = sums
    for (const [kind, times] of Object.entries(kinds)) sums[kind] = (sums[kind] ?? 0) + times
  }
  const total = (of: (told: Told) => number): number => all.reduce((so, told) => so + of(told), 0)
  return {
    setups: all.length,
    interleavings: String(all.reduce((so, told) => so + BigInt(told.interleavings), 0n)),
    states: total(({ states }) => states),
    transitions: total(({ transitions }) => transitions),
    endings: total(({ endings }) => endings),
    faults,
    checks: total(({ checks }) => checks),
    violations: all.flatMap(({ violations }) => violations),
  }
}

const print = (whole: ReturnType<typeof sum> & { readonly bound: Bound }, seconds: number): void => {
  const calls = Object.keys(whole.faults).sort()
  say(`\n${['faults'.padEnd(12), ...KINDS.map(kind => kind.padStart(13))].join(' ')}`)
  for (const call of calls)
    say([call.padEnd(12), ...KINDS.map(kind => String(whole.faults[call]?.[kind] ?? 0).padStart(13))].join(' '))
  for (const { setup, violations, trace } of whole.violations.slice(0, 3))
    say(`\nVIOLATION, ${nameOf(setup)}: ${violations.join('; ')}\n  ${trace.join('\n  ')}`)
  const { bound, setups, interleavings, states, transitions, endings, checks, violations } = whole
  say(
    `\nAt most ${bound.faults} faults and ${bound.leaps} leaps of the clock, ${setups} setups: ${interleavings} interleavings (${states} states, ${transitions} steps, ${endings} endings), ${checks} checks, ${violations.length} violations, ${seconds.toFixed(0)} s`,
  )
}

await exhaust()
