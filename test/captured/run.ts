import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { print, tool } from '../tools/tool.ts'
import { everyProvider } from '../unit/providers/every-provider.ts'
import { coveragePage } from './page.ts'
import { type Probed, probe } from './probe.ts'

export const COVERAGE_PAGE = join(import.meta.dirname, '../../docs/coverage.md')

export const coverage = tool({
  summary:
    'Changes a signed delivery of every provider in dozens of ways, and compares what is believed with what its row says.',
  teaches: 'Exit code 1 if a row says more or less than is covered.',
  flags: {
    write: { help: 'write docs/coverage.md' },
  },
  async run({ flags }) {
    const probed = []
    for (const played of everyProvider) probed.push([played, await probe(played)] as const)
    const wrong = probed.flatMap(([, each]) => mistakes(each))
    print(coveragePage(probed))
    for (const line of wrong) print(line)
    if (flags.write && wrong.length === 0) writeFileSync(COVERAGE_PAGE, coveragePage(probed))
    return wrong.length > 0 ? 1 : 0
  },
})

/** What is believed although it is covered, and refused although it is not. */
export const mistakes = ({ name, changes, coverage: { time }, lasts }: Probed): readonly string[] => [
  ...changes
    .filter(({ refused, verdict }) => refused === (verdict === 'genuine'))
    .map(
      change => `${name}, ${change.name}: ${change.verdict}, and its row says ${change.refused ? '' : 'not '}covered`,
    ),
  ...(lasts === (time === 'never')
    ? []
    : [`${name}, a year later: ${lasts ? 'genuine' : 'stale'}, and its row says ${time}`]),
]
