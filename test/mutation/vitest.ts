import { mock } from 'node:test'
import { expect, expectTypeOf } from 'vitest'

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
let after: readonly (() => unknown)[] = []
let file = ''

export const collectFrom = async (name: string, load: () => Promise<unknown>): Promise<void> => {
  file = name
  path = []
  before = []
  after = []
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
  const last = after
  const prepared = async (): Promise<unknown> => {
    for (const prepare of first) await prepare()
    try {
      return await run()
    } finally {
      for (const clear of last) await clear()
    }
  }
  const id = `${file} > ${[...path, title].join(' > ')} #${collected.length}`
  collected.push({ id, file, run: first.length + last.length === 0 ? run : prepared })
}

const addSuite = (title: string, collect: () => unknown): void => {
  const around = { path, before, after }
  path = [...path, title]
  collect()
  path = around.path
  before = around.before
  after = around.after
}

const defining = (add: (title: string, body: () => unknown) => void) =>
  Object.assign(((title, ...rest) => add(title, bodyOf(rest) as () => unknown)) as Define, { each: forEachRow(add) })

export const describe = defining(addSuite)
export const test = defining(addTest)
export { expect, expectTypeOf, test as it }

export const beforeEach = (prepare: () => unknown): void => {
  before = [...before, prepare]
}

export const afterEach = (clear: () => unknown): void => {
  after = [...after, clear]
}

let opensAnew = false

/** What a suite prepares is made anew for each of its tests, so the code that makes it is changed as well. */
export const openAnew = (): void => {
  opensAnew = true
}

/** Once, and only if one of its tests is run. */
export const beforeAll = (prepare: () => unknown): void => {
  let prepared: unknown
  before = [
    ...before,
    () => {
      if (opensAnew) return prepare()
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

/** Of vitest's own only what needs no worker of it. */
export const vi = {
  useFakeTimers: ({ now }: { readonly now: number }) => mock.timers.enable({ apis: ['Date'], now }),
  useRealTimers: () => mock.timers.reset(),
  waitUntil: async (isSo: () => boolean): Promise<void> => {
    for (let looks = 0; !isSo(); looks += 1) {
      if (looks === 200) throw new Error('it was never so')
      await new Promise(resolve => void setTimeout(resolve, 10))
    }
  },
}
