import { FAULTS, type Fault } from './faults.ts'
import { type Result, type Schedule, schedule } from './simulate.ts'

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
  /** Over all schedules, in the order of their seeds: the same seeds, the same hash. */
  traceHash: string
}

/** Schedules that run side by side, so that one turn of the event loop serves them all. */
const SIDE_BY_SIDE = 64

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

export interface Seeds {
  readonly from: number
  readonly count: number
  readonly stop?: () => boolean
  readonly onProgress?: (done: number) => void
  /** Ends at the first violation, and does not look for its shortest story. */
  readonly impatient?: boolean
}

export const runSchedules = async ({
  from,
  count,
  stop = () => false,
  onProgress,
  impatient = false,
}: Seeds): Promise<Proof> => {
  const proof: Proof = { seed: from, schedules: 0, faults: {}, checks: 0, violations: [], traceHash: '' }
  let hash = 2_166_136_261
  let next = from
  while (next < from + count && !stop() && !(impatient && proof.violations.length > 0)) {
    const seeds = Array.from({ length: Math.min(SIDE_BY_SIDE, from + count - next) }, (_, index) => next + index)
    next += seeds.length
    for (const result of await together(seeds.map(seed => schedule({ seed })))) {
      hash = Math.imul(hash ^ result.hash, 16_777_619)
      add(proof, result)
      if (result.violations.length > 0) proof.violations.push(impatient ? result : await explained(result))
    }
    onProgress?.(proof.schedules)
  }
  proof.traceHash = (hash >>> 0).toString(16).padStart(8, '0')
  return proof
}

const together = async (schedules: readonly Schedule[]): Promise<Result[]> => {
  let going = schedules
  while (going.length > 0) {
    going = going.filter(each => each.step())
    await turn()
  }
  return Promise.all(schedules.map(each => each.result()))
}

const add = (proof: Proof, { checks, faults }: Result): void => {
  proof.schedules++
  proof.checks += checks
  for (const [call, counts] of Object.entries(faults)) {
    const sums = proof.faults[call] ?? Object.fromEntries(FAULTS.map(fault => [fault, 0]))
    proof.faults[call] = sums
    for (const [fault, count] of Object.entries(counts)) sums[fault as Fault] = (sums[fault as Fault] ?? 0) + count
  }
}

/** Leaves out every fault that the violation does not need, and tells the story of what is left. */
const explained = async ({ seed, violations, faultsSeen }: Result): Promise<Proof['violations'][number]> => {
  const without = new Set<number>()
  for (let index = faultsSeen - 1; index >= 0; index--) {
    without.add(index)
    const [shorter] = await together([schedule({ seed, without })])
    if (shorter?.violations.length === 0) without.delete(index)
  }
  const [shrunk] = await together([schedule({ seed, without, tracing: true })])
  return { seed, violations: shrunk?.violations ?? violations, trace: shrunk?.trace ?? [] }
}
