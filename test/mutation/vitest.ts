import { mock } from 'node:test'
import { expect } from 'vitest'

/** What a test file imports as `vitest` while its mutants are tried: tests are collected once and run as often as there are mutants. */

export interface CollectedTest {
  readonly id: string
  readonly file: string
  readonly run: () => unknown
}

type Body = (...row: never[]) => unknown
type Define = (title: string, ...rest: readonly unknown[]) => void

const collected: CollectedTest[] = []
let path: readonly string[] = []
let before: readonly (() => unknown)[] = []
let file = ''

export const collectFrom = async (name: string, load: () => Promise<unknown>): Promise<void> => {
  file = name
  path = []
  before = []
  await load()
}

export const collectedTests = (): readonly CollectedTest[] => collected

const bodyOf = (rest: readonly unknown[]): Body => rest.find(part => typeof part === 'function') as Body

const forEachRow =
  (define: (title: string, body: () => unknown) => void) =>
  (rows: readonly unknown[]): Define =>
  (title, ...rest) => {
    const body = bodyOf(rest) as (...row: unknown[]) => unknown
    for (const [index, row] of rows.entries()) {
      define(`${title} (${index})`, () => (Array.isArray(row) ? body(...row) : body(row)))
    }
  }

const addTest = (title: string, run: () => unknown): void => {
  const first = before
  const prepared = async (): Promise<unknown> => {
    for (const prepare of first) await prepare()
    return run()
  }
  const id = `${file} > ${[...path, title].join(' > ')} #${collected.length}`
  collected.push({ id, file, run: first.length === 0 ? run : prepared })
}

const addSuite = (title: string, collect: () => unknown): void => {
  const around = { path, before }
  path = [...path, title]
  collect()
  path = around.path
  before = around.before
}

const defining = (add: (title: string, body: () => unknown) => void) =>
  Object.assign(((title, ...rest) => add(title, bodyOf(rest) as () => unknown)) as Define, { each: forEachRow(add) })

export const describe = defining(addSuite)
export const test = defining(addTest)
export { expect, test as it }

/** Once, and only if one of its tests is run. */
export const beforeAll = (prepare: () => unknown): void => {
  let prepared: unknown
  before = [
    ...before,
    () => {
      prepared ??= Promise.resolve(prepare())
      return prepared
    },
  ]
}

const endings: (() => unknown)[] = []

export const afterAll = (end: () => unknown): void => void endings.push(end)
export { afterAll as onTestFinished }

/** For whoever has run the last test. */
export const endAll = async (): Promise<void> => {
  for (const end of endings) await end()
}

/** Who leaves something behind that only the end of the process takes away belongs in no list of tests that run many times. */
export const afterEach = (): void => {}

/** Of vitest's own only what needs no worker of it. */
export const vi = {
  useFakeTimers: ({ now }: { readonly now: number }) => mock.timers.enable({ apis: ['Date'], now }),
  useRealTimers: () => mock.timers.reset(),
}
