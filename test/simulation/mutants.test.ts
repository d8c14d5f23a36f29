import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { huntAll, SEEDS } from './hunt.ts'
import { NAMED } from './mutants/breaks.ts'
import { EQUIVALENT } from './mutants/equivalent.ts'
import { MUTANTS } from './mutants.ts'
import { runSchedules } from './run-schedules.ts'

/** All of them take minutes on two cores: `npm run mutants`. A test run hunts every third of those that were caught before. */
const HUNTED = MUTANTS.filter(({ name }) => name in SEEDS).filter((_, index) => index % 3 === 0)

describe('bugs that somebody could write', () => {
  it('the simulation is tried on at least a hundred and fifty different bugs', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
    expect(MUTANTS.length).toBeGreaterThanOrEqual(150)
  })

  it('at least sixty of them are in the transitions, the stores and the lean client', () => {
    const inside = /^functions\/(domain\/protocol|adapters\/(dynamodb-|expressions|s3-|sqs-|lean\/))/
    expect(MUTANTS.filter(({ patches: [first] }) => inside.test(first?.file ?? '')).length).toBeGreaterThanOrEqual(60)
    expect(MUTANTS.filter(({ patches: [first] }) => first?.file.includes('/lean/')).length).toBeGreaterThanOrEqual(10)
  })

  it('every bug names the promise that it breaks, or the test that finds it, and no promise is broken by a bug that is none', () => {
    const simulated = MUTANTS.filter(({ test }) => test === undefined).map(({ name }) => name)
    expect(simulated.toSorted()).toEqual([...NAMED].toSorted())
  })

  it('every seed that is remembered is that of a bug that there is', () => {
    expect(Object.keys(SEEDS).filter(name => !NAMED.has(name))).toEqual([])
  })

  it('without a bug, the schedules that have caught one break no promise', async () => {
    const proofs = MUTANTS.flatMap(({ name, focus }) => {
      const seed = SEEDS[name]
      return seed === undefined ? [] : [{ name, run: () => runSchedules({ from: seed, count: 1, focus, hunting: '' }) }]
    })
    const broken: string[] = []
    for (const { name, run } of proofs) {
      const { violations } = await run()
      for (const { violations: said } of violations) broken.push(`${name}: ${said.join('; ')}`)
    }
    expect(broken).toEqual([])
  })

  it('every bug, harmless or not, changes a line that its module still has, and has once', () => {
    const text = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
    const all = [...MUTANTS, ...EQUIVALENT]
    const stale = all.filter(({ patches }) =>
      patches.some(patch => 'find' in patch && text(patch.file).split(patch.find).length !== 2),
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
