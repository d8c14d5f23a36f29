import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRefusal } from '../../lib/connect/refusal.ts'
import { withGenerated } from '../../lib/docs/generated.ts'
import { runSuite } from '../integration/run-suite.ts'
import { print, tool } from '../tools/tool.ts'
import { compareTaken, predictionTable } from './compare-taken.ts'
import { type NamedCall, onceEach } from './name-calls.ts'
import { managedPolicies } from './operators/managed.ts'
import { openOperators } from './operators/operators.ts'
import { proveCommands, RECORDED_COMMANDS } from './operators/prove-commands.ts'
import { recordCommands } from './operators/record-commands.ts'
import { commandTables } from './operators/table.ts'
import { tryCommands } from './operators/try-commands.ts'
import { PREDICTIONS, readCallers } from './predictions.ts'
import { proveGrants, RECORDED, templateOf } from './proof.ts'
import { readRecording } from './recording.ts'
import { type Rollout, withRollout } from './rollout.ts'
import { proofTables } from './table.ts'
import { probeAll, takeAway } from './take-away.ts'

export const IAM_PAGE = join(import.meta.dirname, '../../docs/iam.md')

export const iam = tool({
  summary: 'Every call that functions and commands make is allowed by their policies, and every grant is needed.',
  teaches: [
    'Calls that were recorded while the black-box suite and the commands of operators ran are judged by a policy simulator against the',
    'policies of the synthesized template. Exit code 1 if one of them would be refused, or if a grant is neither used nor explained.',
  ].join('\n'),
  flags: {
    record: {
      help: 'run suite and commands on MiniStack first, and record the calls anew (needs python3, takes minutes)',
    },
    'take-away': {
      help: 'take each statement of each role and each policy away once on MiniStack: what fails must be what is predicted (takes minutes)',
    },
    only: {
      value: 'NAMES',
      help: 'with --record and --take-away: only what these do, such as Recover,Bury for functions, billing for that of a destination and Operators for commands',
    },
    write: { help: 'write the tables to docs/iam.md' },
  },
  async run({ flags }) {
    const { record, 'take-away': takes } = flags
    const only = flags.only === undefined ? undefined : readCallers(flags.only)
    if (isRefusal(only)) return only
    if (record && only === undefined && !(await recordSuite())) return 1
    const surprises = record || takes ? await onMiniStack({ record, takes, only }) : []
    const { tables, mistakes } = await proveAll()
    for (const text of Object.values(tables)) print(`${text}\n`)
    for (const mistake of [...mistakes, ...surprises]) print(mistake)
    if (flags.write) writeFileSync(IAM_PAGE, withTables(readFileSync(IAM_PAGE, 'utf8'), tables))
    return mistakes.length + surprises.length > 0 ? 1 : 0
  },
})

interface Proved {
  /** By the name of their place in docs/iam.md. */
  readonly tables: Readonly<Record<'commands' | 'grants', string>>
  readonly mistakes: readonly string[]
}

/** Both proofs on the template as it is synthesized now. */
export const proveAll = async (): Promise<Proved> => {
  const template = templateOf()
  const functions = await proveGrants(template)
  const commands = await proveCommands(template)
  return {
    tables: {
      commands: commandTables(commands, managedPolicies(template)),
      grants: [proofTables(functions), '', predictionTable()].join('\n'),
    },
    mistakes: [...functions.mistakes, ...commands.mistakes],
  }
}

/** The page with its tables made anew. */
export const withTables = (page: string, tables: Proved['tables']): string =>
  Object.entries(tables).reduce((text, [name, made]) => withGenerated(text, name, made, 'npm run prove iam'), page)

const write = (file: string, calls: readonly NamedCall[]): void =>
  writeFileSync(file, `${JSON.stringify(calls, null, 2)}\n`)

interface Asked {
  readonly record: boolean | undefined
  readonly takes: boolean | undefined
  /** @default everything */
  readonly only: readonly string[] | undefined
}

const onMiniStack = ({ record, takes, only }: Asked): Promise<readonly string[]> =>
  withRollout(async rollout => {
    if (record) await recordProbes(rollout, only)
    const meant = PREDICTIONS.filter(({ caller }) => only?.includes(caller) !== false)
    const surprises = takes ? compareTaken(await takeAway(rollout, only), meant) : []
    if (only?.includes('Operators') === false) return surprises
    const operators = await openOperators(rollout)
    try {
      if (record) write(RECORDED_COMMANDS, await recordCommands(operators, rollout.directory, rollout.deployed))
      if (!takes) return surprises
      const calls: readonly NamedCall[] = JSON.parse(readFileSync(RECORDED_COMMANDS, 'utf8'))
      return [...surprises, ...(await tryCommands(operators, calls, managedPolicies(templateOf())))]
    } finally {
      await operators.end()
    }
  })

/** Nothing, if a case failed: what did not work is not what the functions do. */
const recordSuite = async (): Promise<boolean> => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-calls-'))
  process.env.IT_CALLS = directory
  try {
    const passed = (await runSuite('ministack', [])) === 0
    if (passed) write(RECORDED, readRecording(directory))
    return passed
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What the suite does not have the functions do, the probes do. */
const recordProbes = async (rollout: Rollout, only: Asked['only']): Promise<void> => {
  await probeAll(rollout, only)
  const calls: readonly NamedCall[] = JSON.parse(readFileSync(RECORDED, 'utf8'))
  write(RECORDED, onceEach([...calls, ...readRecording(rollout.directory)]))
}
