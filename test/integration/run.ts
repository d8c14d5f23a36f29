/** A program: `node test/integration/run.ts localstack` runs the suite on a target and counts its cases. */
import { startVitest } from 'vitest/node'

const [target = 'embedded', ...filters] = process.argv.slice(2)
process.env.IT_TARGET = target

// An emulator starts a process for each call at once, on the machine that also runs the cases.
const gently = target === 'localstack' ? { maxConcurrency: 2 } : {}
const vitest = await startVitest('test', filters, { run: true, watch: false, project: ['integration'], ...gently })
const cases = vitest.state.getTestModules().flatMap(module => [...module.children.allTests()])
const passed = cases.filter(each => each.result().state === 'passed').length
await vitest.close()
process.stdout.write(`${target}: ${passed} of ${cases.length} cases passed.\n`)
if (cases.length === 0 || passed < cases.length) process.exitCode = 1
