import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { huntAll, SEEDS } from './hunt.ts'
import { NAMED, promiseOf } from './mutants/breaks.ts'
import { EQUIVALENT } from './mutants/equivalent.ts'
import { MUTANTS } from './mutants.ts'

/** All of them take minutes on two cores: `npm run mutants`. A test run hunts every third of those that were caught before. */
const HUNTED = MUTANTS.filter(({ name }) => name in SEEDS).filter((_, index) => index % 3 === 0)

describe('bugs that somebody could write', () => {
  it('the simulation is tried on at least a hundred and fifty different bugs', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
    expect(MUTANTS.length).toBeGreaterThanOrEqual(150)
  })

  it('every promise that is said to be broken is broken by a bug that there is', () => {
    const there = new Set(MUTANTS.map(({ name }) => name))
    expect([...NAMED].filter(name => !there.has(name))).toEqual([])
  })

  it('every seed that is remembered is that of a bug whose promise is named', () => {
    expect(Object.keys(SEEDS).filter(name => promiseOf(name) === undefined)).toEqual([])
  })

  it('every bug, harmless or not, changes a line that its module still has', () => {
    const text = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
    const all = [...MUTANTS, ...EQUIVALENT]
    const stale = all.filter(({ patches }) =>
      patches.some(patch => 'find' in patch && !text(patch.file).includes(patch.find)),
    )
    expect(stale.map(({ name }) => name)).toEqual([])
  })

  it('the simulation finds every bug that is hunted, by the promise that it breaks', async () => {
    const caught = await huntAll(HUNTED, SEEDS, () => {})
    // biome-ignore lint/suspicious/noConsole: which bug is caught when, and by what, is what this test shows
    console.table(caught.map(({ name, caughtBy, schedules }) => ({ name, schedules, caughtBy })))
    expect(caught.filter(({ caughtBy }) => caughtBy === null)).toEqual([])
  })
})
