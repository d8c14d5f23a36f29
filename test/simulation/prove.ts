import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { allOf, readNumber } from '../../lib/cli/flags.ts'
import { isRefusal, refuse } from '../../lib/connect/refusal.ts'
import { print as say, tool } from '../tools/tool.ts'
import { FAULTS } from './faults.ts'
import type { Proof } from './run-schedules.ts'
import { helper, type Progress, sumFrom } from './stretches.ts'

export const simulation = tool({
  summary: 'Runs the real verbs in simulated time, with faults on every remote call, and checks every invariant.',
  teaches: 'Exit code 1 on a violation, which is printed with its seed and a shrunk trace.',
  flags: {
    schedules: { value: 'N', help: 'how many schedules (default 20000)' },
    minutes: { value: 'M', help: 'as many as fit into M minutes' },
    seed: { value: 'S', help: "the first schedule's seed (default 1); the same seeds give the same trace hash" },
    json: { value: 'FILE', help: 'write { seed, schedules, faults, checks, violations, world, traceHash }' },
  },
  async run({ flags }) {
    if (flags.schedules !== undefined && flags.minutes !== undefined) {
      return refuse('--schedules and --minutes exclude each other.', 2)
    }
    const asked = allOf(
      readNumber(flags.seed, 'seed', { min: 1, max: Number.MAX_SAFE_INTEGER, otherwise: 1 }),
      readNumber(flags.schedules, 'schedules', { min: 1, max: 1_000_000_000, otherwise: 20_000 }),
      readNumber(flags.minutes, 'minutes', { min: 1, max: 100_000, otherwise: 0 }),
    )
    if (isRefusal(asked)) return asked
    const [seed, schedules, minutes] = asked
    const startedAt = Date.now()
    const until = minutes === 0 ? Number.POSITIVE_INFINITY : startedAt + minutes * 60_000
    const count = minutes === 0 ? schedules : Number.MAX_SAFE_INTEGER

    const proof = await inParallel(seed, count, () => Date.now() >= until)
    print(proof, (Date.now() - startedAt) / 1000)
    if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(proof, null, 2)}\n`)
    return proof.violations.length > 0 ? 1 : 0
  },
})

/** Stretches of seeds are handed out in order, so the hash does not depend on how many processes shared the work. */
const STRETCH = 50

const inParallel = async (seed: number, count: number, stop: () => boolean): Promise<Proof> => {
  const sum = sumFrom(seed)
  const progress: Progress = { schedules: 0, violations: 0 }
  let next = seed
  const worker = async (): Promise<void> => {
    const { run, end } = helper(join(import.meta.dirname, 'share.ts'), progress)
    while (next < seed + count && !stop()) {
      const stretch = { from: next, count: Math.min(STRETCH, seed + count - next) }
      next += stretch.count
      sum.add(await run(stretch))
    }
    end()
  }
  const ticking = setInterval(show(progress), PROGRESS_MS)
  await Promise.all(Array.from({ length: availableParallelism() }, worker)).finally(() => clearInterval(ticking))
  return sum.proof
}

const PROGRESS_MS = 15_000

const show = (progress: Readonly<Progress>): (() => void) => {
  const startedAt = Date.now()
  return () => {
    const { schedules, violations } = progress
    const rate = Math.round(schedules / ((Date.now() - startedAt) / 1000))
    process.stderr.write(
      `${schedules.toLocaleString('en')} schedules, ${rate.toLocaleString('en')} a second, ${violations} violations\n`,
    )
  }
}

const print = ({ seed, schedules, faults, checks, violations, world, traceHash }: Proof, seconds: number): void => {
  const calls = Object.keys(faults).sort()
  const width = Math.max(14, ...calls.map(call => call.length))
  say(['faults'.padEnd(width), ...FAULTS.map(fault => fault.padStart(14))].join(' '))
  for (const call of calls) {
    say([call.padEnd(width), ...FAULTS.map(fault => String(faults[call]?.[fault] ?? 0).padStart(14))].join(' '))
  }
  for (const { seed: at, violations: broken, trace } of violations.slice(0, 3)) {
    say(`\nVIOLATION, seed ${at}: ${broken.join('; ')}\n${trace.join('\n')}`)
  }
  const [least] = calls
    .flatMap(call => FAULTS.map(fault => ({ call, fault, times: faults[call]?.[fault] ?? 0 })))
    .sort((left, right) => left.times - right.times)
  if (least)
    say(`\nEvery fault on every call at least ${least.times} times (least often: ${least.fault} on ${least.call})`)
  say(
    `World: ${Object.entries(world)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ')}`,
  )
  const injected = Object.values(faults)
    .flatMap(counts => Object.values(counts))
    .reduce((sum, count) => sum + count, 0)
  say(
    `${schedules} schedules from seed ${seed}, ${injected} faults injected, ${checks} checks, ${violations.length} violations, trace hash ${traceHash}, ${seconds.toFixed(0)} s`,
  )
}
