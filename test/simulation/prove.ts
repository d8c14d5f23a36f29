import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { FAULTS } from './faults.ts'
import type { Proof } from './run-schedules.ts'
import { help, helper, type Progress, sumFrom } from './stretches.ts'

const HELP = `Runs the real verbs in simulated time, with faults on every remote call, and checks every invariant.

npm run prove -- --schedules N | --minutes M [--seed S] [--json FILE]

  --schedules N  how many schedules (default 20000)
  --minutes M    as many as fit into M minutes
  --seed S       the first schedule's seed (default 1); the same seeds give the same trace hash
  --json FILE    write { seed, schedules, faults, checks, violations, traceHash }

Exit code 1 on a violation, which is printed with its seed and a shrunk trace.`

const whole = (name: string, text: string | undefined, fallback: number): number => {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    refuse(`--${name} is ${JSON.stringify(text)}: expected a whole number above 0`)
  return value
}

const refuse = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`)
  process.exit(2)
}

const flags = () => {
  try {
    const text = { type: 'string' } as const
    const options = {
      schedules: text,
      minutes: text,
      seed: text,
      json: text,
      share: { type: 'boolean' },
      help: { type: 'boolean' },
    } as const
    return parseArgs({ options }).values
  } catch (error) {
    return refuse(`${(error as Error).message}\n\n${HELP}`)
  }
}

/** Stretches of seeds are handed out in order, so that the hash does not depend on how many processes shared the work. */
const STRETCH = 5_000

const prove = async (): Promise<void> => {
  const given = flags()
  if (given.help) return void process.stdout.write(`${HELP}\n`)
  if (given.share) return help()
  if (given.schedules !== undefined && given.minutes !== undefined)
    refuse('--schedules and --minutes exclude each other')
  const seed = whole('seed', given.seed, 1)
  const minutes = given.minutes === undefined ? undefined : whole('minutes', given.minutes, 1)
  const count = minutes === undefined ? whole('schedules', given.schedules, 20_000) : Number.MAX_SAFE_INTEGER
  const startedAt = Date.now()
  const until = minutes === undefined ? Number.POSITIVE_INFINITY : startedAt + minutes * 60_000

  const proof = await inParallel(seed, count, () => Date.now() >= until)
  print(proof, (Date.now() - startedAt) / 1000)
  if (given.json !== undefined) writeFileSync(given.json, `${JSON.stringify(proof, null, 2)}\n`)
  process.exitCode = proof.violations.length > 0 ? 1 : 0
}

const inParallel = async (seed: number, count: number, stop: () => boolean): Promise<Proof> => {
  const sum = sumFrom(seed)
  const progress: Progress = { schedules: 0, violations: 0 }
  let next = seed
  const worker = async (): Promise<void> => {
    const { run, end } = helper(import.meta.filename, '--share', progress)
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

const print = ({ seed, schedules, faults, checks, violations, traceHash }: Proof, seconds: number): void => {
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
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
  const injected = Object.values(faults)
    .flatMap(counts => Object.values(counts))
    .reduce((sum, count) => sum + count, 0)
  say(
    `${schedules} schedules from seed ${seed}, ${injected} faults injected, ${checks} checks, ${violations.length} violations, trace hash ${traceHash}, ${seconds.toFixed(0)} s`,
  )
}

await prove()
