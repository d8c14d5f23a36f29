import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../docs/decisions')
const files = globSync('0*.md', { cwd: FOLDER }).sort()
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')

it('the decisions are numbered from 1 without gaps, in their file name and in their title', () => {
  expect(files.map(file => Number(file.slice(0, 4)))).toEqual(files.map((_, index) => index + 1))
  expect(files.filter((file, index) => !read(file).startsWith(`# ${index + 1}. `))).toEqual([])
})

it.each(files)('decision %s has a status, a context, a decision and its consequences', file => {
  const parts = read(file).match(/^(?:Status: |## ).*/gm)
  expect(parts).toEqual([
    expect.stringMatching(/^Status: (accepted|replaced by \d+)$/),
    '## Context',
    '## Decision',
    '## Consequences',
  ])
})

it('the list of decisions has every title in order', () => {
  const listed = read('README.md').match(/^\d+\. .*/gm)
  expect(listed).toEqual(files.map(file => read(file).replace(/^# (\d+\.) ([^\n]*).*/s, `$1 [$2](${file})`)))
})
