import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { EQUIVALENT } from './mutants/equivalent.ts'
import { MUTANTS } from './mutants.ts'

const run = promisify(execFile)
const here = (file: string): string => join(import.meta.dirname, file)

const MOST_SCHEDULES = 20_000

interface Catch {
  readonly schedules: number
  readonly seed?: number
  readonly by?: string
}

/** In a process of its own, whose modules are changed as they are loaded. */
const hunt = async (name: string): Promise<Catch> => {
  const { stdout } = await run(
    process.execPath,
    ['--import', here('mutate.ts'), here('catch-mutant.ts'), '1', String(MOST_SCHEDULES)],
    { env: { ...process.env, HOOKLATCH_MUTANT: name } },
  )
  return JSON.parse(stdout)
}

/** All of them take minutes on two cores: `npm run mutants`. A test run hunts every third. */
const HUNTED = process.env.npm_lifecycle_event === 'mutants' ? MUTANTS : MUTANTS.filter((_, index) => index % 3 === 0)

const caught: Record<string, string | number>[] = []

afterAll(() => {
  // biome-ignore lint/suspicious/noConsole: which bug is caught when, and by what, is what this test shows
  console.table(caught)
})

describe('bugs that somebody could write', () => {
  it('the simulation is tried on at least seventy different bugs', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
    expect(MUTANTS.length).toBeGreaterThanOrEqual(70)
  })

  it('every bug, harmless or not, changes a line that its module still has', () => {
    const text = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
    const all = [...MUTANTS, ...EQUIVALENT]
    const stale = all.filter(({ patches }) => patches.some(({ file, find }) => !text(file).includes(find)))
    expect(stale.map(({ name }) => name)).toEqual([])
  })

  it('the simulation finds every bug that is hunted', async () => {
    const left = [...HUNTED]
    const hunter = async (): Promise<void> => {
      for (let mutant = left.shift(); mutant; mutant = left.shift()) {
        const { schedules, seed, by = 'nobody' } = await hunt(mutant.name)
        caught.push({ mutant: mutant.name, schedule: seed ?? `none of ${schedules}`, by: by.split(':')[0] ?? '' })
      }
    }
    await Promise.all(Array.from({ length: availableParallelism() }, hunter))
    expect(caught.filter(({ by }) => by === 'nobody')).toEqual([])
  })
})
