import { join } from 'node:path'
import { BATCH_SIZE, writeBatches } from './batches.ts'
import type { Task } from './child.ts'
import { SIZES } from './deliveries.ts'
import { open, type Process, type Setting } from './measure.ts'
import { COLD, type Group, type Member, WARM, type Warm } from './plan.ts'
import { shuffled } from './statistics.ts'
import type { Stub } from './stub.ts'
import type { Bundles } from './variants.ts'

export interface Bench {
  readonly stub: Stub
  readonly bundles: Bundles
  readonly directory: string
  readonly plain: Setting
  readonly secure: Setting
  readonly quick: boolean
  readonly tell: (progress: string) => void
}

/** CPU milliseconds by `group member`; of a round, one value for each turn. */
export type Samples = Readonly<Record<string, readonly (readonly Sample[])[]>>

export interface Sample {
  readonly init: number
  readonly first: number
  readonly perEvent: number
  readonly rss: number
}

export const NOTHING: Sample = { init: Number.NaN, first: Number.NaN, perEvent: Number.NaN, rss: Number.NaN }

/** Rounds that there are in any case. */
const LEAST = 3

/** That are measured, of each round. */
const TURNS = 6

/** As many as are wanted, but not so many that they would end too late. `until` is of `performance.now()`. */
const roundsBefore = async (
  until: number,
  least: number,
  most: number,
  run: (round: number) => Promise<void>,
): Promise<void> => {
  let longest = 0
  for (let round = 1; round <= most; round += 1) {
    const begun = performance.now()
    if (round > least && begun + longest > until) return
    await run(round)
    longest = Math.max(longest, performance.now() - begun)
  }
}

/** Fresh processes one after the other: those of a group in some order, the groups in some order. */
export const sampleCold = async (bench: Bench, rounds: number, until: number): Promise<Samples> => {
  const samples = collect()
  await roundsBefore(until, LEAST, rounds, async round => {
    bench.tell(`cold start: round ${round} of ${rounds}`)
    for (const [group, members] of shuffled(Object.entries<Group>(COLD), Math.random)) {
      for (const [name, member] of mixed(members, bench.quick)) {
        const process_ = await start(bench, group === 'plain' ? bench.plain : bench.secure, member, 1)
        samples.add(`${group} ${name}`, [{ ...NOTHING, ...process_.started }])
        await process_.end()
        bench.stub.forget()
      }
    }
  })
  return samples.all
}

/** Processes side by side that take turns of some milliseconds: whatever slows the machine down slows all of them down. */
export const sampleWarm = async (bench: Bench, rounds: number, until: number, least = LEAST): Promise<Samples> => {
  const samples = collect()
  await roundsBefore(until, least, rounds, async round => {
    bench.tell(`warm: round ${round} of ${rounds}`)
    for (const [group, warm] of shuffled(Object.entries<Warm>(WARM), Math.random)) {
      const turns = await takeTurns(bench, warm)
      for (const [name, values] of turns) samples.add(`${group} ${name}`, values)
      bench.stub.forget()
    }
  })
  return samples.all
}

/** The rounds of both. */
export const pooled = (first: Samples, second: Samples): Samples =>
  Object.fromEntries(Object.entries(first).map(([name, rounds]) => [name, [...rounds, ...(second[name] ?? [])]]))

const takeTurns = async (
  bench: Bench,
  { before, smallBefore = 0, calls, members }: Warm,
): Promise<readonly (readonly [string, Sample[]])[]> => {
  const running: { readonly name: string; readonly process: Process; readonly values: Sample[] }[] = []
  for (const [name, member] of mixed(members, bench.quick)) {
    const process_ = await start(bench, bench.secure, member, 1 + before + TURNS * calls)
    if (smallBefore > 0) await process_.run(smallBefore, SIZES['1KB'])
    await process_.run(before)
    bench.stub.take()
    running.push({ name, process: process_, values: [] })
  }
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const { process: process_, values } of shuffled(running, Math.random)) {
      values.push({ ...NOTHING, ...(await process_.run(calls)) })
      bench.stub.take()
    }
  }
  await Promise.all(running.map(each => each.process.end()))
  return running.map(({ name, values }) => [name, values] as const)
}

const start = async (bench: Bench, setting: Setting, member: Member, calls: number): Promise<Process> => {
  const { bundle } = member
  return open(setting, bench.bundles[bundle].file, await taskOf(bench, member, calls))
}

const taskOf = async ({ stub, directory }: Bench, { bundle, task }: Member, calls: number): Promise<Task> => {
  if (task.kind !== 'batches') return task
  const file = join(directory, `${bundle}.batches.json`)
  await writeBatches(stub, file, calls, bundle === 'workerPowertools' ? 'body' : 'sealed')
  return { kind: 'batches', file, size: BATCH_SIZE }
}

const mixed = (members: Group, quick: boolean): readonly (readonly [string, Member])[] =>
  shuffled(
    Object.entries(members).filter(([, { full = false }]) => !(quick && full)),
    Math.random,
  )

const collect = () => {
  const all: Record<string, (readonly Sample[])[]> = {}
  return {
    all,
    add: (name: string, values: readonly Sample[]): void => {
      all[name] = [...(all[name] ?? []), values]
    },
  }
}
