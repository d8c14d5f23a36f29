import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Finished } from '../support/local-rig.ts'

const CLI = join(import.meta.dirname, '../../bin/hooklatch.ts')

/** One command line of the CLI that reads something from standard input. */
export const hooklatchFed = (
  input: string,
  env: Readonly<Record<string, string>>,
  directory: string,
  ...args: string[]
): Promise<Finished> => {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: directory, env: { ...process.env, ...env } })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', text => (out += text))
  child.stderr.setEncoding('utf8').on('data', text => (err += text))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, out, err }))
  })
}
