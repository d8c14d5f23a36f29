import { isRefusal, refuse } from '../../lib/connect/refusal.ts'
import { runOne } from '../tools/run-tool.ts'
import { complain, tool } from '../tools/tool.ts'
import { runSuite } from './run-suite.ts'

const TARGETS = ['embedded', 'localstack', 'ministack', 'url', 'template', 'aws']

const integration = tool({
  summary:
    'Runs the black-box suite on a target (embedded, localstack, ministack, url, template or aws) and counts its cases.',
  flags: {},
  operands: ['[target]', '[file...]'],
  async run({ positionals: [target = 'embedded', ...filters] }) {
    if (!TARGETS.includes(target)) return refuse(`There is no target ${target}: expected ${TARGETS.join(', ')}.`, 2)
    return runSuite(target, filters)
  },
})

const result = await runOne('test:integration', integration, process.argv.slice(2))
if (isRefusal(result)) complain(result.refused)
const code = isRefusal(result) ? result.exitCode : result
// vitest has set one of its own if an error was no case's.
if (code !== 0) process.exitCode = code
