import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withGenerated } from '../../lib/docs/generated.ts'
import { runSuite } from '../integration/run-suite.ts'
import { print, tool } from '../tools/tool.ts'
import { compareTaken, predictionTable } from './compare-taken.ts'
import type { NamedCall } from './name-calls.ts'
import { type Proof, proveGrants, RECORDED } from './proof.ts'
import { readRecording } from './recording.ts'
import { proofTables } from './table.ts'
import { takeAway } from './take-away.ts'

export const OPERATE_PAGE = join(import.meta.dirname, '../../docs/operate.md')

export const iam = tool({
  summary: 'Every call that the functions make is allowed by their roles, and every grant of a role is needed.',
  teaches: [
    'Calls that were recorded while the black-box suite ran are judged by a policy simulator against the policies of the',
    'synthesized template. Exit code 1 if one of them would be refused, or if a grant is neither used nor explained.',
  ].join('\n'),
  flags: {
    record: { help: 'run the suite on MiniStack first, and record the calls anew (needs python3, takes minutes)' },
    'take-away': {
      help: 'take each statement of each role away once on MiniStack: what fails must be what is predicted (takes minutes)',
    },
    write: { help: 'write the tables to docs/operate.md' },
  },
  async run({ flags }) {
    if (flags.record) {
      const calls = await record()
      if (calls === undefined) return 1
      writeFileSync(RECORDED, `${JSON.stringify(calls, null, 2)}\n`)
    }
    const proof = await proveGrants()
    const mistakes = [...proof.mistakes, ...(flags['take-away'] ? compareTaken(await takeAway()) : [])]
    print(proofPage(proof))
    for (const mistake of mistakes) print(mistake)
    if (flags.write) writeFileSync(OPERATE_PAGE, withProof(readFileSync(OPERATE_PAGE, 'utf8'), proof))
    return mistakes.length > 0 ? 1 : 0
  },
})

/** The page with its tables made anew. */
export const withProof = (page: string, proof: Proof): string =>
  withGenerated(page, 'grants', proofPage(proof), 'npm run prove iam')

const proofPage = (proof: Proof): string => [proofTables(proof), '', predictionTable()].join('\n')

/** Nothing, if a case failed: what did not work is not what the functions do. */
const record = async (): Promise<readonly NamedCall[] | undefined> => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-calls-'))
  process.env.IT_CALLS = directory
  try {
    return (await runSuite('ministack', [])) === 0 ? readRecording(directory) : undefined
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
