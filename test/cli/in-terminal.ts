import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finished } from '../support/local-rig.ts'

const CLI = join(import.meta.dirname, '../../bin/hooklatch.ts')

/** util-linux's `script` gives a command a terminal of its own; the one of a Mac takes other flags. */
export const hasTerminal = ((): boolean => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).includes(
      'util-linux',
    )
  } catch {
    return false
  }
})()

export const NO_TERMINAL = 'there is no `script` of util-linux here, which gives a command a terminal'

export interface Typing {
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
  /** Typed when this has appeared. */
  readonly type?: { readonly after: string; readonly keys: string }
}

/** One command line of the CLI as a person at a terminal of this width would have it; out and err are one there. */
export const inTerminal = async (
  directory: string,
  { columns = 100, env = {}, type }: Typing,
  ...args: string[]
): Promise<Omit<Finished, 'err'>> => {
  const command = [process.execPath, CLI, ...args].map(word => `'${word}'`).join(' ')
  const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...inherited } = process.env
  const child = spawn('script', ['-qec', `stty cols ${columns}; exec ${command}`, '/dev/null'], {
    cwd: directory,
    env: { ...inherited, TERM: 'xterm-256color', ...env },
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', text => (out += text))
  const closed = new Promise<number | null>(resolve => child.once('close', resolve))
  let code: number | null | undefined
  void closed.then(value => {
    code = value
  })
  while (type && code === undefined && !out.includes(type.after)) await sleep(20)
  if (type) child.stdin.write(type.keys)
  return { code: await closed, out: out.replaceAll('\r\n', '\n') }
}
