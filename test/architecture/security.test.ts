import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** `| a promise | [words](test/file.test.ts): the name of the test |` */
const PROMISE = /^\| (?<promise>.+?) \| \[[^\]]+\]\((?<file>test\/[^)]+)\): (?<name>.+) \|$/

const model = read('SECURITY.md').split('## Threat model')[1] ?? ''
const rows =
  model
    .split('### How each engine')[0]
    ?.split('\n')
    .filter(line => /^\| (?!promise|---)/.test(line)) ?? []

it('the threat model has the five attackers, each with a promise', () => {
  const attackers = model.split(/^### (?!How)/m).slice(1)
  expect(attackers).toHaveLength(5)
  for (const each of attackers) expect(each).toMatch(/^\| (?!promise|---)/m)
})

it.each(rows)('the promise names a test that exists: %s', row => {
  const { file = '', name = '' } = PROMISE.exec(row)?.groups ?? {}
  expect(existsSync(join(ROOT, file)), row).toBe(true)
  // A quote in the name of a test is escaped in its file.
  expect(read(file).replaceAll("\\'", "'")).toContain(name)
})
