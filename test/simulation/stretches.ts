import { fork } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Proof, runSchedules } from './run-schedules.ts'
import { addCounts, noCounts } from './world-counts.ts'

/** Seeds that one process takes on together. */
export interface Stretch {
  readonly from: number
  readonly count: number
}

export interface Progress {
  schedules: number
  violations: number
}

export interface Helper {
  run(stretch: Stretch): Promise<Proof>
  end(): void
}

/** Where modules are kept compiled: a process that finds them there starts in a third of the time. */
export const COMPILED = join(tmpdir(), 'hooklatch-compiled')

/**
 * What a schedule makes is garbage when it ends: room for more of them means that less is copied before. And each core has a helper
 * of its own, so collecting on a second thread only takes time from the other. Each saved 2 to 7 % of the CPU, on a busy machine.
 */
const COLLECTING = ['--max-semi-space-size=64', '--single-threaded-gc']

/** What a helper says: so many more, now and then, and the whole proof at the end. */
type Said = { readonly more: Progress } | { readonly proof: Proof }

/** A process that runs one stretch after the other: only the first thousands of schedules wait for the compiler. */
export const helper = (script: string, progress: Progress): Helper => {
  const child = fork(script, [], {
    execArgv: [...process.execArgv, ...COLLECTING],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  })
  let current: PromiseWithResolvers<Proof> | undefined
  child.on('message', message => {
    const said = message as Said
    if ('proof' in said) return current?.resolve(said.proof)
    progress.schedules += said.more.schedules
    progress.violations += said.more.violations
  })
  child.on('error', error => current?.reject(error))
  child.on('exit', code => current?.reject(new Error(`a share ended with code ${code}`)))
  return {
    run: stretch => {
      current = Promise.withResolvers()
      child.send(stretch)
      return current.promise
    },
    end: () => child.disconnect(),
  }
}

/** The other side of it: until the parent lets go. */
export const help = (): void => {
  const say = (said: Said): void => void process.send?.(said)
  const run = async (stretch: Stretch): Promise<void> => {
    const told: Progress = { schedules: 0, violations: 0 }
    const onProgress = ({ schedules, violations }: Readonly<Proof>): void => {
      if (schedules % TOLD_EVERY !== 0 && schedules !== stretch.count) return
      say({ more: { schedules: schedules - told.schedules, violations: violations.length - told.violations } })
      Object.assign(told, { schedules, violations: violations.length })
    }
    say({ proof: await runSchedules({ ...stretch, onProgress }) })
  }
  process.on('message', stretch => void run(stretch as Stretch))
}

const TOLD_EVERY = 250

export interface Sum {
  readonly proof: Proof
  /** Stretches may end in any order. */
  add(stretch: Proof): void
}

/** The hash is over the stretches in the order of their seeds, so one that ended early waits for those before it. */
export const sumFrom = (seed: number): Sum => {
  const proof: Proof = { seed, schedules: 0, faults: {}, checks: 0, violations: [], world: noCounts(), traceHash: '' }
  const waiting = new Map<number, Proof>()
  let hash = 2_166_136_261
  let next = seed
  const append = (stretch: Proof): void => {
    proof.schedules += stretch.schedules
    proof.checks += stretch.checks
    addCounts(proof.world, stretch.world)
    proof.violations.push(...stretch.violations)
    hash = Math.imul(hash ^ Number.parseInt(stretch.traceHash, 16), 16_777_619)
    proof.traceHash = (hash >>> 0).toString(16).padStart(8, '0')
    for (const [call, counts] of Object.entries(stretch.faults)) {
      const sums = proof.faults[call] ?? {}
      proof.faults[call] = sums
      for (const [fault, count] of Object.entries(counts)) sums[fault] = (sums[fault] ?? 0) + count
    }
  }
  return {
    proof,
    add: stretch => {
      waiting.set(stretch.seed, stretch)
      for (let first = waiting.get(next); first; first = waiting.get(next)) {
        waiting.delete(next)
        append(first)
        next += first.schedules
      }
    },
  }
}
