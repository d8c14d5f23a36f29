import { isRefusal } from '../../lib/connect/refusal.ts'
import { runProject } from '../integration/run-suite.ts'
import { runOne } from '../tools/run-tool.ts'
import { complain, tool } from '../tools/tool.ts'
import { versionBefore } from './version-before.ts'

const upgrade = tool({
  summary:
    'Deploys the version before on MiniStack, leaves events in every state, deploys this one over it, and sees everything end.',
  flags: {
    from: { value: 'TAG|COMMIT', help: 'The version to upgrade from (default: the last tag before this commit).' },
  },
  async run({ flags }) {
    process.env.UPGRADE_FROM = flags.from ?? versionBefore()
    return runProject('upgrade', `upgrade from ${process.env.UPGRADE_FROM}`, [])
  },
})

const result = await runOne('test:upgrade', upgrade, process.argv.slice(2))
if (isRefusal(result)) complain(result.refused)
const code = isRefusal(result) ? result.exitCode : result
if (code !== 0) process.exitCode = code
