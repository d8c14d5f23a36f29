/**
 * A program: `node watchdog.ts COMMAND ...ARGS` runs an engine and ends it when stdin closes. The parent holds the other
 * end of that pipe, and the kernel closes it however the parent dies, kill -9 included. It runs in a session of its own, so
 * that a Ctrl-C meant for the parent does not stop the engine while deliveries are still being answered.
 */
import { spawn } from 'node:child_process'

const GRACE_MS = 2_000

const [command = '', ...args] = process.argv.slice(2)
const engine = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], windowsHide: true })

const stop = (): void => {
  engine.kill('SIGTERM')
  setTimeout(() => engine.kill('SIGKILL'), GRACE_MS)
}

const tell = (fact: object, then?: () => void): void => {
  process.stdout.write(`${JSON.stringify(fact)}\n`, then)
}

// Without a reader these would throw, and the engine would outlive us.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

engine.once('spawn', () => tell({ pid: engine.pid }))
engine.once('error', error => tell({ ended: error.message }, () => process.exit(127)))
engine.once('exit', (code, signal) => tell({ ended: signal ?? `exit code ${code}` }, () => process.exit(0)))

process.stdin.once('close', stop).once('error', stop).resume()
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
