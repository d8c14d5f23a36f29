import { expect, it } from 'vitest'
import { nearest } from '../../../lib/cli/nearest.ts'

it.each([
  ['prot', 'port'],
  ['evnets', 'events'],
  ['EVENT', 'events'],
  ['ev', 'events'],
  ['sned', 'send'],
  ['xyz', undefined],
  ['', undefined],
])('the word nearest to %s is %s', (word, expected) => {
  expect(nearest(word, ['port', 'events', 'send'])).toBe(expected)
})
