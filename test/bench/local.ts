import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client } from '../load/client.ts'
import { type Senders, sendersOf } from '../load/senders.ts'
import { endLocals, type RunningLocal, startLocal, workplace } from '../support/local-rig.ts'
import { type Interval, intervalOf, shuffled } from './statistics.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The version that `npm start` is compared with: its worker and its polling called the engines with the SDK. */
const BEFORE = '709d4cf1ba'

const CONNECTIONS = 16

/** New events a second of `npm start`, this version beside the one before, in turns. Undefined where git does not have that one. */
export const measureLocal = async (turns: number, events: number): Promise<Interval | undefined> => {
  const before = rootOf(BEFORE)
  if (before === undefined) return undefined
  try {
    const both = [await started(ROOT), await started(before)]
    for (const each of both) await each.load(events)
    const ratios: number[] = []
    for (let turn = 0; turn < turns; turn += 1) {
      const rates = new Map<object, number>()
      for (const each of shuffled(both, Math.random)) rates.set(each, await each.load(events))
      const [ours = Number.NaN, theirs = Number.NaN] = both.map(each => rates.get(each))
      ratios.push(ours / theirs)
    }
    for (const { local } of both) local.pressCtrlC()
    await Promise.all(both.map(({ local }) => local.finished))
    return intervalOf(ratios, Math.random)
  } finally {
    endLocals()
  }
}

const started = async (root: string) => {
  const local = await startLocal(workplace(root), [], 'node', {}, root)
  const senders = await sendersOf(local, `local-${root.length}`)
  let sent = 0
  return {
    local,
    load: async (count: number): Promise<number> => {
      const rate = await under(local, senders, sent, count)
      sent += count
      return rate
    },
  }
}

/** Events a second until the last one is answered. Sent before they are signed would be the sender's time. */
const under = async (local: RunningLocal, senders: Senders, from: number, count: number): Promise<number> => {
  const sender = client(local.url, CONNECTIONS)
  const deliveries = Array.from({ length: count }, (_, index) => senders.event(from + index))
  const begun = performance.now()
  const answers = await Promise.all(deliveries.map(each => sender.post(each)))
  const seconds = (performance.now() - begun) / 1000
  sender.close()
  const refused = answers.filter(({ status }) => status !== 202 && status !== 200).length
  if (refused > 0) throw new Error(`${refused} of ${count} deliveries were not accepted by the local instance`)
  return count / seconds
}

/** The files of a commit, kept for the next run, with the packages of this one. Not below node_modules: Node runs no TypeScript there. */
const rootOf = (commit: string): string | undefined => {
  const root = join(tmpdir(), `hooklatch-before-${commit}`)
  if (existsSync(root)) return root
  try {
    const made = `${root}.new`
    rmSync(made, { recursive: true, force: true })
    mkdirSync(made, { recursive: true })
    const files = execFileSync('git', ['archive', commit], {
      cwd: ROOT,
      maxBuffer: 1e9,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    execFileSync('tar', ['-x', '-C', made], { input: files })
    symlinkSync(join(ROOT, 'node_modules'), join(made, 'node_modules'))
    renameSync(made, root)
    return root
  } catch {
    return undefined
  }
}
