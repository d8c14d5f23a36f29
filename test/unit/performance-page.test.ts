import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { GOALS } from '../bench/goals.ts'
import { reached } from '../bench/reached.ts'

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const page = read('docs/performance.md')

it('docs/performance.md has the words of its template around the figures of a run', () => {
  const parts = read('test/bench/performance-page.md').split(/\{\{\w+\}\}/)
  expect(parts).toHaveLength(4)
  for (const words of parts) expect(page).toContain(words)
})

it('docs/performance.md begins with what its own tables say was reached', () => {
  const rows = page.split('\n').map(line => line.split('|').map(cell => cell.trim()))
  const cells = (...first: string[]): string[] =>
    rows.find(row => first.every((cell, column) => row[column + 1] === cell))?.slice(first.length + 1, -1) ?? []
  const interval = (says: string) => {
    const [median, range = ''] = cells(says)
    const [low, high] = range.split(' to ').map(Number)
    return { median: Number(median), low, high }
  }
  const figures = (variant: string) => {
    const row = cells(variant)
    return { bundleBytes: Number.parseFloat(row[0] ?? '') * 1000, rss: Number.parseFloat(row.at(-1) ?? '') * 1e6 }
  }
  const count = (name: string) => {
    const [calls, , , dollars] = cells(name, '8KB')
    return { '8KB': { calls: Number(calls), dollarsPerMillion: Number(dollars) } }
  }
  const comparison = {
    ...Object.fromEntries(Object.entries(GOALS).map(([name, { says }]) => [name, interval(says)])),
    figures: { lean: figures('Hooklatch'), powertools: figures('AWS SDK + Powertools idempotency') },
  }
  const counts = { new: count('new'), duplicate: count('duplicate'), forged: count('forged') }
  expect(page).toContain(`In the last run:\n\n${reached(comparison as never, counts as never)}\n\n`)
})
