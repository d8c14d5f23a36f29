import { FAULTS } from './faults.ts'
import type { Focus } from './focus.ts'
import type { Run } from './rig.ts'
import { type Result, schedule } from './simulate.ts'
import { addCounts, noCounts, type WorldCounts } from './world-counts.ts'

export interface Proof {
  readonly seed: number
  schedules: number
  readonly faults: Record<string, Record<string, number>>
  checks: number
  readonly violations: {
    readonly seed: number
    readonly violations: readonly string[]
    readonly trace: readonly string[]
  }[]
  readonly world: WorldCounts
  /** Over all schedules, in the order of their seeds: the same seeds, the same hash. */
  traceHash: string
}

/** After every promise that is resolved: nothing in a schedule waits for the event loop, whose turns took 8 % of the CPU. */
const settled = (): Promise<void> => new Promise(resolve => process.nextTick(resolve))
/** What was said of the schedules so far goes out. And a tick within a tick, as a message of the parent is one, does not wait for promises. */
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

export interface Seeds {
  readonly from: number
  readonly count: number
  /** After each schedule. */
  readonly onProgress?: (soFar: Readonly<Proof>) => void
  /** Ends at the first violation of this promise, or of any if it is empty, and looks for no shortest story. */
  readonly hunting?: string
  readonly focus?: Focus | undefined
}

export const runSchedules = async ({ from, count, onProgress, hunting, focus }: Seeds): Promise<Proof> => {
  const proof: Proof = {
    seed: from,
    schedules: 0,
    faults: {},
    checks: 0,
    violations: [],
    world: noCounts(),
    traceHash: '',
  }
  let hash = 2_166_136_261
  for (let seed = from; seed < from + count; seed++) {
    const result = await run({ seed, focus })
    hash = Math.imul(hash ^ result.hash, 16_777_619)
    add(proof, result)
    if (result.violations.length > 0)
      proof.violations.push(hunting === undefined ? await explained(result, focus) : result)
    onProgress?.(proof)
    if (hunting !== undefined && result.violations.some(each => each.startsWith(hunting))) break
  }
  proof.traceHash = (hash >>> 0).toString(16).padStart(8, '0')
  return proof
}

/** One after the other: sixteen side by side, which share the turns of the event loop, took a tenth more CPU. */
const run = async (one: Run): Promise<Result> => {
  await turn()
  const { step, result } = schedule(one)
  for (let goesOn = true; goesOn; await settled()) goesOn = step()
  return result()
}

const add = (proof: Proof, { checks, faults, world }: Result): void => {
  addCounts(proof.world, world)
  proof.schedules++
  proof.checks += checks
  for (const { call, fault } of faults) {
    const sums = proof.faults[call] ?? Object.fromEntries(FAULTS.map(each => [each, 0]))
    proof.faults[call] = sums
    sums[fault] = (sums[fault] ?? 0) + 1
  }
}

/** Leaves out every fault that the violation does not need, and tells the story of what is left. */
const explained = async (
  { seed, violations, faultsSeen }: Result,
  focus: Focus | undefined,
): Promise<Proof['violations'][number]> => {
  const without = new Set<number>()
  for (let index = faultsSeen - 1; index >= 0; index--) {
    without.add(index)
    const shorter = await run({ seed, without, focus })
    // Another promise that is broken instead would be another story.
    if (!shorter.violations.some(each => each.startsWith(promiseOf(violations)))) without.delete(index)
  }
  const shrunk = await run({ seed, without, focus, tracing: true })
  return { seed, violations: shrunk.violations, trace: shrunk.trace }
}

const promiseOf = ([first = '']: readonly string[]): string => first.slice(0, first.indexOf(':'))
