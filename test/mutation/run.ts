import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { refuse } from '../../lib/connect/refusal.ts'
import { tool } from '../tools/tool.ts'
import { PART_VARIABLE, PARTS, type PartName, partOf } from './parts.ts'

const STRYKER = join(import.meta.dirname, '../../node_modules/@stryker-mutator/core/bin/stryker.js')
const NAMES = Object.keys(PARTS) as PartName[]

export const mutation = tool({
  summary: 'Changes one expression at a time (stryker) and counts the changes that no quick test notices.',
  flags: {
    part: { value: 'PART', help: `one of ${NAMES.join(', ')}`, choices: NAMES },
    mutate: {
      value: 'GLOB',
      help: "only these, such as 'functions/receive/*.ts' or 'functions/receive/identify.ts:20-30'",
    },
  },
  async run({ flags: { part, mutate } }) {
    if (mutate !== undefined) return stryker(partOf(mutate), mutate)
    const parts = NAMES.filter(name => part === undefined || name === part)
    if (parts.length === 0) return refuse(`--part ${part} is not one of ${NAMES.join(', ')}.`, 2)
    let worst = 0
    for (const name of parts) worst = Math.max(worst, await stryker(name, filesOf(name)))
    return worst
  },
})

/** By name: at a comma in a glob, stryker would begin another. */
const filesOf = (name: PartName): string => {
  const { mutate, except = [] } = PARTS[name]
  return globSync([...mutate], { exclude: [...except] })
    .sort()
    .join()
}

const stryker = async (part: PartName, mutate: string): Promise<number> => {
  const env = { ...process.env, [PART_VARIABLE]: part }
  const running = spawn(process.execPath, [STRYKER, 'run', '--mutate', mutate], { stdio: 'inherit', env })
  const [code] = await once(running, 'exit')
  return code ?? 1
}
