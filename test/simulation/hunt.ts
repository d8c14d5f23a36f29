import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
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
  readonly schedules: number
}

export const hunting = tool({
  summary: 'Puts one bug after another into the code that ships, and runs the simulation until it is caught.',
  teaches:
    'Exit code 1 if one was not caught by the promise that it breaks. Those whose promise nobody has named yet are counted, and not hunted.',
  flags: { json: { value: 'FILE', help: 'write { mutants, equivalent }' } },
  async run({ flags }) {
    const mutants = await huntAll(MUTANTS, ({ name, breaks, caughtBy, schedules }) =>
      say(
        `${breaks === null ? 'NOT HUNTED' : caughtBy === null ? 'NOT CAUGHT' : String(schedules).padStart(10)}  ${name}${caughtBy ? `: ${caughtBy}` : ''}`,
      ),
    )
    const equivalent = EQUIVALENT.map(({ name, patches: [first], why }) => ({ name, file: first?.file, why }))
    const hunted = mutants.filter(({ breaks }) => breaks !== null)
    const free = hunted.filter(({ caughtBy }) => caughtBy === null)
    const waiting = mutants.length - hunted.length
    say(`${hunted.length} mutants hunted, ${hunted.length - free.length} caught; ${equivalent.length} are equivalent`)
    say(`${waiting} are not hunted: nobody has named the promise that they break`)
    if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify({ mutants, equivalent }, null, 2)}\n`)
    return free.length > 0 ? 1 : 0
  },
})

/** In the order of the list, as many at once as there are cores. */
export const huntAll = async (
  mutants: readonly Mutant[],
  tell: (caught: Caught) => void,
): Promise<readonly Caught[]> => {
  const all: Caught[] = []
  const left = [...mutants.entries()]
  const hunter = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, mutant] = next
      const caught = await hunt(mutant)
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
const hunt = async (mutant: Mutant): Promise<Caught> => {
  const {
    name,
    patches: [first],
  } = mutant
  const promise = promiseOf(name)
  if (promise === undefined) return { name, file: first?.file ?? '', breaks: null, caughtBy: null, schedules: 0 }
  const { stdout } = await run(
    process.execPath,
    ['--import', here('mutate.ts'), here('catch-mutant.ts'), promise, String(MOST_SCHEDULES)],
    { env: { ...process.env, HOOKLATCH_MUTANT: JSON.stringify(mutant) } },
  )
  const { schedules, caughtBy } = JSON.parse(stdout) as Pick<Caught, 'schedules' | 'caughtBy'>
  return { name, file: first?.file ?? '', breaks: promise, caughtBy, schedules }
}
