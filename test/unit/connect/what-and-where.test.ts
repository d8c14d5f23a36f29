import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { whatAndWhere } from '../../../lib/connect/what-and-where.ts'

const FILE = '/app/my sources.ts'

const failed = (stack: string): Error => Object.assign(new Error('it broke'), { stack })

it.each([
  [
    'a text that is no TypeScript',
    `${FILE}:4\n  x: 1\n  ^\n\nSyntaxError: it broke\n    at parse (node:x:1:1)`,
    ' (line 4)',
  ],
  ['an import of it', `/app/labels.ts:2\n  x\n  ^\n\nSyntaxError: it broke`, ' (/app/labels.ts, line 2)'],
  ['a name that is not there', `${pathToFileURL(FILE)}?edition=1-1:7\nimport\n\nSyntaxError: it broke`, ' (line 7)'],
  [
    'a call that throws elsewhere',
    `TypeError: it broke\n    at f (file:///lib/a.js:1:2)\n    at ${pathToFileURL(FILE)}:3:21\n    at node:x:1:1`,
    ' (line 3)',
  ],
  ['what has nothing to do with it', 'Error: it broke\n    at f (file:///lib/a.js:1:2)', ''],
])('%s is told with its line', (_, stack, place) => {
  expect(whatAndWhere(failed(stack), FILE)).toBe(`it broke${place}`)
})

it('what is thrown without being an error is told as it is', () => {
  expect(whatAndWhere('no database', FILE)).toBe('no database')
})
