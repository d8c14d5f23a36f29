import { describe, expect, it } from 'vitest'
import { changelogOf } from '../../../lib/packaging/changelog-of.ts'

describe('a changelog', () => {
  it('a changelog has what a user notices, what asks something of them first, and no test or refactoring', () => {
    const commits = [
      'a1 feat(cli): hooklatch template',
      'b2 test: a flake',
      'c3 fix: a lost answer',
      'd4 feat(stack)!: a route for each source',
      'e5 refactor(stores): one wire',
      'f6 Merge branch x',
      'a7 feat: a console',
    ]
    expect(changelogOf(commits)).toBe(
      [
        '## Changed: read this before you upgrade',
        '',
        '- **stack:** a route for each source (d4)',
        '',
        '## New',
        '',
        '- **cli:** hooklatch template (a1)',
        '- a console (a7)',
        '',
        '## Fixed',
        '',
        '- a lost answer (c3)',
        '',
      ].join('\n'),
    )
  })

  it('nothing to tell is an empty text', () => {
    expect(changelogOf(['b2 test: a flake', 'no kind at all'])).toBe('')
  })
})
