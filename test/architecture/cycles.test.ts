import { expect, it } from 'vitest'
import { cyclesIn } from './cycles.ts'

const cyclesOf = (imports: Readonly<Record<string, string>>) =>
  cyclesIn(Object.keys(imports), file => (imports[file] ?? '').split(' '))

it('files that import each other in a ring are one cycle, and those beside the ring are not in it', () => {
  expect(cyclesOf({ start: 'a', a: 'b end', b: 'c', c: 'a', end: '' })).toEqual([['a', 'b', 'c']])
})

it('two rings are two cycles, and a file that imports itself is one', () => {
  expect(cyclesOf({ a: 'b', b: 'a c', c: 'd', d: 'c e', e: 'e' })).toEqual([['e'], ['c', 'd'], ['a', 'b']])
})

it('two ways to one file are no cycle', () => {
  expect(cyclesOf({ a: 'b c', b: 'd', c: 'd', d: 'elsewhere' })).toEqual([])
})
