import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DEFAULT_WORKER_FILE } from '../../../lib/connect/default-files.ts'
import { loadWorker } from '../../../lib/local/load-worker.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'

const load = (name: string, content: string) => {
  const file = join(scratchDirectory(), name)
  writeFileSync(file, content)
  return loadWorker(file)
}

/** The event says what was called with it. */
const called = async (worker: Awaited<ReturnType<typeof load>>): Promise<unknown> => {
  const event = { by: 'nobody' }
  if (typeof worker === 'function') await worker(event as never, {} as never)
  return event.by
}

it.each([
  ['by default', "export default event => { event.by = 'mine' }"],
  ['as `work`', "export const work = event => { event.by = 'mine' }; export const handler = () => {}"],
  ['as both, of which `work` is meant', "export const work = event => { event.by = 'mine' }; export default class {}"],
])('a worker that is exported %s is called', async (_, content) => {
  expect(await called(await load('worker.mjs', content))).toBe('mine')
})

it('the worker of the repository can be imported without an AWS environment', async () => {
  expect(await loadWorker(DEFAULT_WORKER_FILE)).toBeTypeOf('function')
})

it.each([
  ['is missing', () => loadWorker('/nowhere/worker.ts'), /does not exist/],
  ['does not compile', () => load('a.ts', 'export default ('), /cannot be used: /],
  ['throws', () => load('a.mjs', "throw new Error('no database')"), /cannot be used: no database \(line 1\)$/],
  ['throws what is no error', () => load('a.mjs', "throw 'no database'"), /cannot be used: no database$/],
  ['exports no function', () => load('a.mjs', 'export const work = {}'), /has no function to call/],
])('a worker that %s is refused in a sentence', async (_, loaded, words) => {
  expect(await loaded()).toMatchObject({ exitCode: 1, refused: expect.stringMatching(words) })
})
