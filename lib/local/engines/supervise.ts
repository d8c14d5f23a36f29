import { spawn } from 'node:child_process'
import { extname, join } from 'node:path'
import { createInterface } from 'node:readline'

/** What an engine last said on stderr, for the sentence that reports its death. */
const LAST_WORDS = 400

/** TypeScript in the repository, JavaScript where the package is installed: as this file is. */
const WATCHDOG = join(import.meta.dirname, `watchdog${extname(import.meta.filename)}`)

export type Supervised = Awaited<ReturnType<typeof supervise>>

/** Runs an engine that cannot outlive this process, see watchdog.ts. */
export const supervise = async (command: string, args: readonly string[]) => {
  const watchdog = spawn(process.execPath, [WATCHDOG, command, ...args], {
    stdio: 'pipe',
    detached: true,
    windowsHide: true,
  })
  let lastWords = ''
  watchdog.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS)
  })
  watchdog.stdin.on('error', () => {})

  const started = Promise.withResolvers<number>()
  const ended = Promise.withResolvers<string>()
  createInterface({ input: watchdog.stdout }).on('line', line => {
    const fact = JSON.parse(line) as { pid?: number; ended?: string }
    if (fact.pid !== undefined) started.resolve(fact.pid)
    if (fact.ended !== undefined) ended.resolve(fact.ended)
  })
  watchdog.once('error', error => ended.resolve(error.message))
  watchdog.once('close', () => ended.resolve('its watchdog was killed'))

  // One that was killed had no time for last words: what it wrote before is about something else.
  const how = ended.promise.then(reason =>
    reason.startsWith('SIG') ? reason : [reason, lastWords.trim()].join(' ').trim(),
  )
  const pid = await Promise.race([started.promise, how])
  if (typeof pid === 'string') throw new Error(`${command} did not start (${pid}).`)
  return {
    /** Of the engine itself, not of its watchdog. */
    pid,
    /** How it ended, whoever ended it. */
    ended: how,
    stop: async () => {
      watchdog.stdin.end()
      // A killed watchdog cannot end its engine any more.
      if ((await ended.promise) === 'its watchdog was killed') killQuietly(pid)
    },
  }
}

const killQuietly = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone, which is what was wanted.
  }
}
