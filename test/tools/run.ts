import { isRefusal } from '../../lib/connect/refusal.ts'
import { runTool } from './run-tool.ts'
import { SCRIPTS } from './scripts.ts'
import { complain } from './tool.ts'

// A program: `node test/tools/run.ts prove kill --kills 100`.
const [name, ...argv] = process.argv.slice(2) as [keyof typeof SCRIPTS, ...string[]]
const result = await runTool({ name, tools: SCRIPTS[name] }, argv)
if (isRefusal(result)) complain(result.refused)
process.exitCode = isRefusal(result) ? result.exitCode : result
