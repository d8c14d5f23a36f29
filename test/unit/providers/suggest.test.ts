import { expect, it } from 'vitest'
import { nearest } from '../../../functions/providers/suggest.ts'

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
