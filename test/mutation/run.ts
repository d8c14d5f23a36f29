import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { tool } from '../tools/tool.ts'

const STRYKER = join(import.meta.dirname, '../../node_modules/@stryker-mutator/core/bin/stryker.js')

export const mutation = tool({
  summary: 'Changes one expression at a time (stryker) and counts the changes that no quick test notices.',
  flags: {
    mutate: {
      value: 'GLOB',
      help: "only these, such as 'functions/receive/*.ts' or 'functions/receive/identify.ts:20-30'",
    },
  },
  async run({ flags }) {
    const only = flags.mutate === undefined ? [] : ['--mutate', flags.mutate]
    const [code] = await once(spawn(process.execPath, [STRYKER, 'run', ...only], { stdio: 'inherit' }), 'exit')
    return code ?? 1
  },
})
