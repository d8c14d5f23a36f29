import { startVitest } from 'vitest/node'
import { isRefusal, refuse } from '../../lib/connect/refusal.ts'
import { runOne } from '../tools/run-tool.ts'
import { complain, print, tool } from '../tools/tool.ts'

const TARGETS = ['embedded', 'localstack', 'ministack', 'aws']

const integration = tool({
  summary: 'Runs the black-box suite on a target (embedded, localstack, ministack or aws) and counts its cases.',
  flags: {},
  operands: ['[target]', '[file...]'],
  async run({ positionals: [target = 'embedded', ...filters] }) {
    if (!TARGETS.includes(target)) return refuse(`There is no target ${target}: expected ${TARGETS.join(', ')}.`, 2)
    process.env.IT_TARGET = target
    // An emulator starts a process for each call at once, on the machine that also runs the cases.
    const gently = target.endsWith('stack') ? { maxConcurrency: 2 } : {}
    const vitest = await startVitest('test', filters, { run: true, watch: false, project: ['integration'], ...gently })
    const cases = vitest.state.getTestModules().flatMap(module => [...module.children.allTests()])
    const passed = cases.filter(each => each.result().state === 'passed').length
    await vitest.close()
    print(`${target}: ${passed} of ${cases.length} cases passed.`)
    return cases.length > 0 && passed === cases.length ? 0 : 1
  },
})

const result = await runOne('test:integration', integration, process.argv.slice(2))
if (isRefusal(result)) complain(result.refused)
const code = isRefusal(result) ? result.exitCode : result
// vitest has set one of its own if an error was no case's.
if (code !== 0) process.exitCode = code
