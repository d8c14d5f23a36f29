import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Errand, Ran, Started, Task } from './child.ts'
import { SECRET } from './deliveries.ts'
import { environment } from './environment.ts'
import type { Services } from './stub.ts'

export interface Setting {
  /** The bundled child. */
  readonly child: string
  readonly services: Services
  /** Where the CPU can be chosen (taskset), the measured process has one of its own. */
  readonly pinned: boolean
  /** PEM of who signed the services' certificates. */
  readonly authority: string
  /** Besides what every variant is told. */
  readonly env?: NodeJS.ProcessEnv
}

export interface Process {
  readonly started: Started
  /** Calls it so many times, with bodies of its own size if none is said. */
  run(times: number, bytes?: number): Promise<Ran>
  end(): Promise<void>
}

/** A fresh process that has started and had its first call. */
export const open = async (setting: Setting, bundle: string, task: Task): Promise<Process> => {
  const { child, services, pinned, authority, env } = setting
  const errand: Errand = { bundle, task, secret: SECRET, prefix: randomUUID().slice(0, 8) }
  const args = [child, JSON.stringify(errand)]
  const [command, all] = pinned ? ['taskset', ['-c', '1', process.execPath, ...args]] : [process.execPath, args]
  const process_ = spawn(command, all, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...environment(services), ...env, NODE_EXTRA_CA_CERTS: authority },
  })
  const closed = once(process_, 'close')
  const lines = createInterface({ input: process_.stdout })[Symbol.asyncIterator]()
  const read = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`the measured process of ${bundle} ended with ${(await closed)[0]}`)
    return JSON.parse(value)
  }
  const started: Started = await read()
  if (!started.answered) throw new Error(`${bundle} refused its first call`)
  return {
    started,
    run: (times, bytes) => {
      process_.stdin.write(bytes === undefined ? `${times}\n` : `${times} ${bytes}\n`)
      return read()
    },
    end: async () => {
      process_.stdin.end()
      await closed
    },
  }
}
