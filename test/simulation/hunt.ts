import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { refuse } from '../../lib/connect/refusal.ts'
import { print as say, tool } from '../tools/tool.ts'
import { promiseOf } from './mutants/breaks.ts'
import { EQUIVALENT } from './mutants/equivalent.ts'
import type { Mutant } from './mutants/mutant.ts'
import { MUTANTS } from './mutants.ts'
import { COMPILED } from './stretches.ts'

export interface Caught {
  readonly name: string
  /** The first one patched. */
  readonly file: string
  /** The promise that it breaks. */
  readonly breaks: string
  /** The promise that was violated; null if it was not caught. */
  readonly caughtBy: string | null
  /** How many were run until it was caught. */
  readonly schedules: number
}

export const hunting = tool({
  summary: 'Puts one bug after another into the code that ships, and runs the simulation until it is caught.',
  teaches:
    'Exit code 1 if one was not caught by the promise that it breaks. The schedule that caught a bug the last time is tried first, then all from seed 1. After a change of the simulated world, --remember finds the schedules anew that no longer catch theirs.',
  flags: {
    json: { value: 'FILE', help: 'write { mutants, equivalent }' },
    only: { value: 'TEXT', help: 'only those whose name contains it' },
    remember: { help: 'write down which seed has caught each' },
    afresh: { help: 'from seed 1 for each, so the count says how rare it is' },
  },
  async run({ flags }) {
    const { only = '' } = flags
    const meant = MUTANTS.filter(({ name }) => name.includes(only))
    if (meant.length === 0) return refuse(`No bug has "${only}" in its name. Leave --only away to see them all.`, 2)
    const found: Record<string, number> = { ...SEEDS }
    const hunted = await huntAll(meant, flags.afresh ? {} : SEEDS, caught => {
      const { name, seed } = caught
      say(lineOf(caught))
      if (seed === undefined) delete found[name]
      else found[name] = seed
      if (flags.remember) remember(found)
    })
    const equivalent = EQUIVALENT.map(({ name, patches: [first], why }) => ({ name, file: first?.file, why }))
    const free = hunted.filter(({ caughtBy }) => caughtBy === null)
    say(`${hunted.length} mutants hunted, ${hunted.length - free.length} caught; ${equivalent.length} are equivalent`)
    const mutants = hunted.map(({ seed: _, others: __, ...caught }): Caught => caught)
    if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify({ mutants, equivalent }, null, 2)}\n`)
    return free.length > 0 ? 1 : 0
  },
})

const lineOf = ({ name, caughtBy, schedules, others }: Hunted): string => {
  if (caughtBy !== null) return `${String(schedules).padStart(10)}  ${name}: ${caughtBy}`
  const instead = others.length > 0 ? ` (it broke others: ${others.join('; ')})` : ''
  return `NOT CAUGHT  ${name}: in ${schedules}${instead}`
}

/** In the order of the list, so a seed that changes is one line that changes. */
const remember = (found: Readonly<Record<string, number>>): void => {
  const seeds = MUTANTS.flatMap(({ name }) => (found[name] === undefined ? [] : [[name, found[name]]]))
  writeFileSync(SEEDS_FILE, `${JSON.stringify(Object.fromEntries(seeds), null, 2)}\n`)
}

interface Hunted extends Caught {
  /** Of the schedule that caught it. */
  readonly seed?: number
  /** What else it broke, for whoever wonders why it was not caught. */
  readonly others: readonly string[]
}

const SEEDS_FILE = join(import.meta.dirname, 'mutants/seeds.json')

/** The schedule that caught each the last time. */
export const SEEDS: Readonly<Record<string, number>> = JSON.parse(readFileSync(SEEDS_FILE, 'utf8'))

/** In the order of the list, as many at once as there are cores. */
export const huntAll = async (
  mutants: readonly Mutant[],
  seeds: Readonly<Record<string, number>>,
  tell: (caught: Hunted) => void,
): Promise<readonly Hunted[]> => {
  const all: Hunted[] = []
  const left = [...mutants.entries()]
  const hunter = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, mutant] = next
      const seed = seeds[mutant.name]
      const caught = await hunt(mutant, seed)
      all[index] = caught
      tell(caught)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, hunter))
  return all
}

const MOST_SCHEDULES = 2_000

const run = promisify(execFile)
const here = (file: string): string => join(import.meta.dirname, file)

type Told = Pick<Hunted, 'schedules' | 'caughtBy'> & Partial<Hunted>

/** In a process of its own, whose modules are changed as they are loaded. */
const hunt = async (mutant: Mutant, first: number | undefined): Promise<Hunted> => {
  const { name, patches, test } = mutant
  const breaks = test?.title ?? promiseOf(name)
  const given =
    test === undefined
      ? [here('catch-mutant.ts'), breaks, String(MOST_SCHEDULES), ...(first === undefined ? [] : [String(first)])]
      : [here('catch-by-test.ts'), here(`../../${test.file}`), breaks]
  const env = { ...process.env, HOOKLATCH_MUTANT: JSON.stringify(mutant), NODE_COMPILE_CACHE: COMPILED }
  const told: Told = await run(process.execPath, ['--import', here('mutate.ts'), ...given], { env }).then(
    ({ stdout }) => JSON.parse(stdout),
    // It could not be put in, or it took the process with it: nothing has caught it.
    error => ({ schedules: 0, caughtBy: null, others: [String(error)] }),
  )
  return { name, file: patches[0]?.file ?? '', breaks, others: [], ...told }
}
