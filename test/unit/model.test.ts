import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROTOCOL } from '../../functions/domain/whole-protocol.ts'
import { findTlc } from '../model/find-tlc.ts'
import { MISTAKES } from '../model/mistakes.ts'
import { MODEL } from '../model/run.ts'
import { readVerdict } from '../model/run-tlc.ts'

const read = (file: string): string => readFileSync(join(MODEL, file), 'utf8')
const page = read('README.md')

/** The names in the first column of the table under a heading. */
const namesUnder = (heading: string): string[] =>
  [...(page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(row => row[1] ?? '')

it('every transition of the protocol is in the model, or in its list of what is left out', () => {
  const named = [...namesUnder('Transitions'), ...namesUnder('Transitions that are left out')]
  expect(named.sort()).toEqual(Object.keys(PROTOCOL).sort())
})

it('every transition that the page calls modelled has a condition in the specification, and no other has one', () => {
  const [, conditions = ''] = read('Transitions.tla').split(/^(?:Allowed|Begun)\(/m)
  const names = [...conditions.matchAll(/w\.op = "(\w+)"/g)].map(found => found[1])
  expect(names.sort()).toEqual(namesUnder('Transitions').sort())
})

it.each(MISTAKES)('the mistake "$says" changes one line of the specification, and its promise is checked', mistake => {
  expect(read(`${mistake.file}.tla`).split(mistake.from)).toHaveLength(2)
  expect(mistake.to).not.toBe(mistake.from)
  expect(read(`${mistake.config}.cfg`)).toContain(`  ${mistake.breaks}\n`)
  expect(page).toContain(`| ${mistake.says} | \`${mistake.breaks}\` |`)
})

it('without the jar of TLC the check of the model says how to get it and ends with exit code 2', () => {
  const refused = { exitCode: 2, refused: expect.stringContaining('mvn dependency:get') }
  expect(findTlc(undefined, '/nowhere')).toEqual(refused)
  expect(findTlc('/nowhere/tlc.jar')).toEqual(refused)
})

it.each([
  ['Error: Invariant OneEffect is violated.', 'OneEffect'],
  ['Error: Action property DoneIsFinal is violated.', 'DoneIsFinal'],
  ['Error: Temporal properties were violated.', 'EveryAcknowledgedEventEnds'],
])('"%s" from TLC is read as a violated promise', (line, violated) => {
  const text = `${line}\n12 states generated, 7 distinct states found, 3 states left on queue.\n`
  expect(readVerdict(text)).toMatchObject({ violated, finished: true, states: 12, distinct: 7 })
})

it('a run of TLC that could not check anything is not read as a success', () => {
  expect(readVerdict('Error: Parsing or semantic analysis failed.')).toMatchObject({ violated: null, finished: false })
})
