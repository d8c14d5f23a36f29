import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance } from '../../lib/connect/instance.ts'

const ROOT = join(import.meta.dirname, '../..')
const CLI = join(ROOT, 'bin/hooklatch.ts')

export interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const workplaces: string[] = []

/** A directory of its own, so that a test and a person who runs `npm start` do not meet in `.hooklatch/`. */
export const workplace = (root = ROOT): string => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-'))
  workplaces.push(directory)
  for (const name of ['package.json', 'bin', 'node_modules']) symlinkSync(join(root, name), join(directory, name))
  return directory
}

export const instanceIn = (directory: string): Instance =>
  JSON.parse(readFileSync(join(directory, '.hooklatch/local.json'), 'utf8')) as Instance

const watched = (child: ChildProcess) => {
  let out = ''
  let err = ''
  child.stdout?.setEncoding('utf8').on('data', text => (out += text))
  child.stderr?.setEncoding('utf8').on('data', text => (err += text))
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, out, err }))
  })
  return { finished, out: () => out, err: () => err }
}

/** One command line of the CLI, to its end. */
export const hooklatch = (directory: string, ...args: string[]): Promise<Finished> =>
  hooklatchWith({}, directory, ...args)

export const hooklatchWith = (env: NodeJS.ProcessEnv, directory: string, ...args: string[]): Promise<Finished> =>
  watched(spawn(process.execPath, [CLI, ...args], { cwd: directory, env: { ...process.env, ...env } })).finished

/** One command line of the CLI that goes on until Ctrl-C. */
export const hooklatchOn = (directory: string, ...args: string[]) => hooklatchOnWith({}, directory, ...args)

export const hooklatchOnWith = (env: NodeJS.ProcessEnv, directory: string, ...args: string[]) => {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: directory,
    detached: true,
    env: { ...process.env, ...env },
  })
  running.add(child)
  const { finished, out, err } = watched(child)
  void finished.then(() => running.delete(child))
  return { finished, out, err, pressCtrlC: () => child.kill('SIGINT'), kill: () => child.kill('SIGKILL') }
}

/** A machine for which there is no dynoxide. */
export const OTHER_MACHINE = {
  NODE_OPTIONS: `--import=data:text/javascript,Object.defineProperty(process,'arch',{value:'other'})`,
}

const commandsOf = (root: string) => ({
  npm: { command: 'npm', args: ['start', '--'] },
  node: { command: process.execPath, args: [join(root, 'bin/hooklatch.ts'), 'start'] },
})

/** A local instance that has printed its banner. In a process group of its own, which a terminal's Ctrl-C would reach as a whole. */
export const startLocal = async (
  directory: string,
  flags: string[] = [],
  by: keyof ReturnType<typeof commandsOf> = 'node',
  env: NodeJS.ProcessEnv = {},
  root = ROOT,
) => {
  const { command, args } = commandsOf(root)[by]
  const child = spawn(command, [...args, '--port', '0', ...flags], {
    cwd: directory,
    detached: true,
    env: { ...process.env, ...env },
  })
  const { finished, out } = watched(child)
  running.add(child)
  void finished.then(() => running.delete(child))
  await until('the banner', () => out().includes('Ctrl-C ends it.') || child.exitCode !== null)
  if (child.exitCode !== null) throw new Error(`the local instance did not start: ${JSON.stringify(await finished)}`)
  const instance = instanceIn(directory)
  return {
    ...instance,
    out,
    finished,
    pressCtrlC: () => process.kill(-(child.pid ?? 0), 'SIGINT'),
    /** To npm alone, where it is npm that was started. */
    terminate: () => child.kill('SIGTERM'),
    signal: (signal: NodeJS.Signals) => process.kill(instance.pid, signal),
  }
}

const running = new Set<ChildProcess>()

/** Ends the local instances of tests that failed half way, their engines with them, and clears up. */
export const endLocals = (): void => {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  for (const directory of workplaces) rmSync(directory, { recursive: true, force: true })
}

export type RunningLocal = Awaited<ReturnType<typeof startLocal>>

/** Polls: what another process does is seen when it is done, not after a guessed while. */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> => {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come about within ${withinMs} ms`)
    await sleep(20)
  }
}

/** Reads again and again, until what it reads is as it should be. */
export const eventually = async <Value>(
  what: string,
  read: () => Promise<Value>,
  holds: (value: Value) => boolean,
  withinMs = 30_000,
): Promise<Value> => {
  let value: Value | undefined
  const passes = async (): Promise<boolean> => {
    value = await read()
    return holds(value)
  }
  await until(what, passes, withinMs).catch(error => {
    throw new Error(`${(error as Error).message}; it last was ${JSON.stringify(value)}`)
  })
  return value as Value
}

/** As `eventually`, where each look is a process of its own: the next one when the local instance has said more. */
export const eventuallyAt = <Value>(
  local: Pick<RunningLocal, 'out'>,
  what: string,
  read: () => Promise<Value>,
  holds: (value: Value) => boolean,
  withinMs?: number,
): Promise<Value> => {
  let heard: string | undefined
  const look = async (): Promise<Value> => {
    await until(`news of ${what}`, () => local.out() !== heard, withinMs)
    heard = local.out()
    return read()
  }
  return eventually(what, look, holds, withinMs)
}

export const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    async answer => {
      await answer.arrayBuffer()
      return true
    },
    () => false,
  )
