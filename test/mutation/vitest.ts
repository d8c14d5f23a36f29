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
let file = ''

export const collectFrom = async (name: string, load: () => Promise<unknown>): Promise<void> => {
  file = name
  path = []
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
  collected.push({ id: `${file} > ${[...path, title].join(' > ')} #${collected.length}`, file, run })
}

const addSuite = (title: string, collect: () => unknown): void => {
  const around = path
  path = [...path, title]
  collect()
  path = around
}

const defining = (add: (title: string, body: () => unknown) => void) =>
  Object.assign(((title, ...rest) => add(title, bodyOf(rest) as () => unknown)) as Define, { each: forEachRow(add) })

export const describe = defining(addSuite)
export const test = defining(addTest)
export { expect, test as it }

/** Who leaves something behind that only the end of the process takes away belongs in no list of tests that run many times. */
export const afterEach = (): void => {}

/** Of vitest's own only what needs no worker of it. */
export const vi = {
  useFakeTimers: ({ now }: { readonly now: number }) => mock.timers.enable({ apis: ['Date'], now }),
  useRealTimers: () => mock.timers.reset(),
}
