import { describe, expect, it } from 'vitest'
import { allOf, readFlags, readNumber } from '../../../lib/cli/flags.ts'
import { refuse } from '../../../lib/connect/refusal.ts'

const FLAGS = {
  port: { value: 'PORT', help: '' },
  json: { help: '' },
  'source-file': { value: 'FILE', help: '' },
} as const

describe('a command line', () => {
  it('a command line gives its flags and operands', () => {
    expect(readFlags(FLAGS, ['a', '--port', '1', '--json', '--source-file=x y', 'b'])).toEqual({
      flags: { port: '1', json: true, 'source-file': 'x y' },
      positionals: ['a', 'b'],
    })
  })

  it('a wrong command line is refused with every mistake in it', () => {
    expect(readFlags(FLAGS, ['--prot', '1', '--json=yes', '--port', '', '-x', '--source-file'])).toEqual({
      exitCode: 2,
      refused: [
        'Unknown flag --prot: did you mean --port?',
        '--json takes no value.',
        '--port needs a value: --port PORT',
        'Unknown flag -x.',
        '--source-file needs a value: --source-file FILE',
      ].join('\n'),
    })
  })

  it('a name that objects inherit is an unknown flag', () => {
    expect(readFlags(FLAGS, ['--constructor'])).toMatchObject({ exitCode: 2 })
  })
})

describe('a number', () => {
  const range = { min: 1, max: 10, otherwise: 5 }

  it('a number flag is read, and its default is taken if it is absent', () => {
    expect([readNumber('7', 'n', range), readNumber(undefined, 'n', range)]).toEqual([7, 5])
  })

  it.each(['0', '11', '1.5', '1e1', '-1', ' 1', 'x', '99999999999'])('the number flag value %j is refused', text => {
    expect(readNumber(text, 'n', range)).toEqual({
      exitCode: 2,
      refused: `--n ${text} is not a whole number from 1 to 10.`,
    })
  })
})

describe('several values', () => {
  it('allOf gives all values, or every refusal in one', () => {
    expect(allOf(1, 'a')).toEqual([1, 'a'])
    expect(allOf(1, refuse('no', 2), refuse('never', 2))).toEqual({ refused: 'no\nnever', exitCode: 2 })
  })
})
