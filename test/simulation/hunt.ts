import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { print as say, tool } from '../tools/tool.ts'
import { promiseOf } from './mutants/breaks.ts'
import { EQUIVALENT } from './mutants/equivalent.ts'
import type { Mutant } from './mutants/mutant.ts'
import { MUTANTS } from './mutants.ts'

export interface Caught {
  readonly name: string
  /** The first one patched. */
  readonly file: string
  /** The promise that it breaks; null if nobody has found one yet. */
  readonly breaks: string | null
  /** The promise that was violated; null if it was not caught. */
  readonly caughtBy: string | null
  /** How many were run until it was caught. */
  readonly schedules: number
}

export const hunting = tool({
  summary: 'Puts one bug after another into the code that ships, and runs the simulation until it is caught.',
  teaches:
    'Exit code 1 if one was not caught by the promise that it breaks. The schedule that caught a bug the last time is tried first, then all from seed 1. Those whose promise nobody has named yet are counted, and not hunted.',
  flags: {
    json: { value: 'FILE', help: 'write { mutants, equivalent }' },
    afresh: { help: 'from seed 1 for each, and remember which seed catches it' },
  },
  async run({ flags }) {
    const known = flags.afresh ? {} : SEEDS
    const found: Record<string, number> = {}
    const hunted = await huntAll(MUTANTS, known, ({ name, breaks, caughtBy, schedules, seed }) => {
      const count = breaks === null ? 'NOT HUNTED' : caughtBy === null ? 'NOT CAUGHT' : String(schedules)
      say(`${count.padStart(10)}  ${name}${caughtBy ? `: ${caughtBy}` : ''}`)
      if (seed !== undefined) found[name] = seed
    })
    if (flags.afresh) writeFileSync(SEEDS_FILE, `${JSON.stringify(found, null, 2)}\n`)
    const equivalent = EQUIVALENT.map(({ name, patches: [first], why }) => ({ name, file: first?.file, why }))
    const waiting = hunted.filter(({ breaks }) => breaks === null).length
    const free = hunted.filter(({ breaks, caughtBy }) => breaks !== null && caughtBy === null)
    const count = hunted.length - waiting
    say(`${count} mutants hunted, ${count - free.length} caught; ${equivalent.length} are equivalent`)
    if (waiting > 0) say(`${waiting} are not hunted: nobody has named the promise that they break`)
    const mutants = hunted.map(({ seed: _, ...caught }): Caught => caught)
    if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify({ mutants, equivalent }, null, 2)}\n`)
    return free.length > 0 ? 1 : 0
  },
})

interface Hunted extends Caught {
  /** Of the schedule that caught it. */
  readonly seed?: number
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
      const caught = await hunt(mutant, seed === undefined ? [] : [seed])
      all[index] = caught
      tell(caught)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, hunter))
  return all
}

const MOST_SCHEDULES = 4_000

const run = promisify(execFile)
const here = (file: string): string => join(import.meta.dirname, file)

/** In a process of its own, whose modules are changed as they are loaded. */
const hunt = async (mutant: Mutant, first: readonly number[]): Promise<Hunted> => {
  const { name, patches } = mutant
  const file = patches[0]?.file ?? ''
  const breaks = promiseOf(name)
  if (breaks === undefined) return { name, file, breaks: null, caughtBy: null, schedules: 0 }
  const { stdout } = await run(
    process.execPath,
    ['--import', here('mutate.ts'), here('catch-mutant.ts'), breaks, String(MOST_SCHEDULES), JSON.stringify(first)],
    { env: { ...process.env, HOOKLATCH_MUTANT: JSON.stringify(mutant) } },
  )
  const { schedules, caughtBy, seed } = JSON.parse(stdout) as Pick<Hunted, 'schedules' | 'caughtBy' | 'seed'>
  return { name, file, breaks, caughtBy, schedules, ...(seed !== undefined && { seed }) }
}
