import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { FAULTS } from './faults.ts'
import { type Proof, runSchedules } from './run-schedules.ts'

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
      share: text,
      help: { type: 'boolean' },
    } as const
    return parseArgs({ options }).values
  } catch (error) {
    return refuse(`${(error as Error).message}\n\n${HELP}`)
  }
}

/** Stretches of seeds are handed out in order, so that the hash does not depend on how many processes shared the work. */
const STRETCH = 5_000

interface Stretch {
  readonly from: number
  readonly count: number
}

const prove = async (): Promise<void> => {
  const given = flags()
  if (given.help) return void process.stdout.write(`${HELP}\n`)
  if (given.share !== undefined) return share(JSON.parse(given.share))
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

/** One stretch, in a process of its own. */
const share = async ({ from, count }: Stretch): Promise<void> => {
  process.stdout.write(JSON.stringify(await runSchedules({ from, count })))
}

const inParallel = async (seed: number, count: number, stop: () => boolean): Promise<Proof> => {
  const proofs = new Map<number, Proof>()
  let next = seed
  const worker = async (): Promise<void> => {
    while (next < seed + count && !stop()) {
      const from = next
      const stretch = { from, count: Math.min(STRETCH, seed + count - from) }
      next += stretch.count
      proofs.set(from, await inChild(stretch))
      const done = [...proofs.values()].reduce((sum, { schedules }) => sum + schedules, 0)
      if (process.stderr.isTTY) process.stderr.write(`\r${done.toLocaleString('en')} schedules`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  return merged(
    seed,
    [...proofs].sort(([left], [right]) => left - right).map(([, proof]) => proof),
  )
}

const inChild = (stretch: Stretch): Promise<Proof> =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...process.execArgv, import.meta.filename, '--share', JSON.stringify(stretch)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let said = ''
    child.stdout.on('data', data => {
      said += data
    })
    child.on('error', reject)
    child.on('exit', code =>
      code === 0 ? resolve(JSON.parse(said)) : reject(new Error(`a share ended with code ${code}`)),
    )
  })

const merged = (seed: number, proofs: readonly Proof[]): Proof => {
  const whole: Proof = { seed, schedules: 0, faults: {}, checks: 0, violations: [], traceHash: '' }
  let hash = 2_166_136_261
  for (const proof of proofs) {
    whole.schedules += proof.schedules
    whole.checks += proof.checks
    whole.violations.push(...proof.violations)
    hash = Math.imul(hash ^ Number.parseInt(proof.traceHash, 16), 16_777_619)
    for (const [call, counts] of Object.entries(proof.faults)) {
      const sums = whole.faults[call] ?? {}
      whole.faults[call] = sums
      for (const [fault, count] of Object.entries(counts)) sums[fault] = (sums[fault] ?? 0) + count
    }
  }
  whole.traceHash = (hash >>> 0).toString(16).padStart(8, '0')
  return whole
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
  const injected = Object.values(faults)
    .flatMap(counts => Object.values(counts))
    .reduce((sum, count) => sum + count, 0)
  say(
    `\n${schedules} schedules from seed ${seed}, ${injected} faults injected, ${checks} checks, ${violations.length} violations, trace hash ${traceHash}, ${seconds.toFixed(0)} s`,
  )
}

await prove()
