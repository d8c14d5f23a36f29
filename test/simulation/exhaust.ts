import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { allOf, readNumber } from '../../lib/cli/flags.ts'
import { isRefusal, type Refusal, refuse } from '../../lib/connect/refusal.ts'
import { print as say, tool } from '../tools/tool.ts'
import { type Bound, KINDS } from './exhaustive/position.ts'
import type { Setup } from './exhaustive/programs.ts'
import type { Found } from './exhaustive/search.ts'

const SETUPS: readonly Setup[] = (['github', 'stripe'] as const).flatMap(source =>
  (['effect', 'commit', 'unprocessable'] as const).map(mode => ({ source, mode })),
)

const nameOf = ({ source, mode }: Setup): string => `${source}/${mode}`

export const exhaust = tool({
  summary:
    'Two deliveries of one event, one recovery and one consumer: the real verbs, in every order of their remote calls.',
  teaches: 'Exit code 1 on a violation, which is printed with the steps that lead to it.',
  flags: {
    faults: {
      value: 'N',
      help: 'at most so many faults in one interleaving, at any call, of any kind (default 2)',
    },
    leaps: { value: 'N', help: 'how often the clock leaps past every lease, between any two steps (default 0)' },
    only: { value: 'SETUP', help: `one of ${SETUPS.map(nameOf).join(', ')}` },
    json: {
      value: 'FILE',
      help: 'write { bound, setups, interleavings, states, transitions, faults, checks, violations }',
    },
  },
  async run({ flags }) {
    const asked = allOf(
      readNumber(flags.faults, 'faults', { min: 0, max: 3, otherwise: 2 }),
      // Two leaps are as many as a signature's age allows.
      readNumber(flags.leaps, 'leaps', { min: 0, max: 2, otherwise: 0 }),
      chosen(flags.only),
    )
    if (isRefusal(asked)) return asked
    const [faults, leaps, setups] = asked
    const bound = { faults, leaps }
    const startedAt = Date.now()
    const whole = { bound, ...sum(await inParallel(setups, bound)) }
    print(whole, (Date.now() - startedAt) / 1000)
    if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(whole, null, 2)}\n`)
    return whole.violations.length > 0 ? 1 : 0
  },
})

/** A bigint has no JSON. */
type Told = Omit<Found, 'interleavings'> & { readonly interleavings: string }

const chosen = (name: string | undefined): readonly Setup[] | Refusal => {
  const setups = SETUPS.filter(setup => name === undefined || nameOf(setup) === name)
  return setups.length > 0 ? setups : refuse(`--only ${name} is not one of ${SETUPS.map(nameOf).join(', ')}.`, 2)
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

const SEARCH = join(import.meta.dirname, 'exhaustive/search-one.ts')

const inChild = (setup: Setup, bound: Bound): Promise<Told> =>
  new Promise((resolve, reject) => {
    // Millions of states are remembered.
    const node = [...process.execArgv, '--max-old-space-size=12000', SEARCH, JSON.stringify([setup, bound])]
    const child = spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'inherit'] })
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
