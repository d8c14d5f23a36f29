import { parseArgs } from 'node:util'
import { CLASSES } from './classes.ts'
import { type ClassReport, fuzz } from './fuzz.ts'

/** `node test/fuzz/run.ts --inputs 1000000 [--seed 42]`: exit code 1 and the shrunk input when a law is broken. */
const { values } = parseArgs({
  options: { inputs: { type: 'string', default: '20000' }, seed: { type: 'string' } },
})
const inputs = Number(values.inputs)
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
if (!Number.isSafeInteger(inputs) || inputs < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write('--inputs and --seed are whole numbers: node test/fuzz/run.ts --inputs 1000000 --seed 42\n')
  process.exit(2)
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const started = performance.now()
const secondsSoFar = (): number => (performance.now() - started) / 1000

const reports: ClassReport[] = []
print(`seed ${seed}`)
for (const [name, kind] of Object.entries(CLASSES)) {
  const report = await fuzz(kind, Math.ceil(kind.share * inputs), seed)
  reports.push(report)
  print(`${String(report.inputs).padStart(9)}  ${name}  ${statusesOf([report])}  (${secondsSoFar().toFixed(0)} s)`)
  if (report.violation !== undefined) print(`\n${report.violation}\n`)
}

function statusesOf(of: readonly ClassReport[]): string {
  const counts = new Map<number, number>()
  for (const { statuses } of of) {
    for (const [status, count] of statuses) counts.set(status, (counts.get(status) ?? 0) + count)
  }
  return [...counts]
    .sort(([left], [right]) => left - right)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}

const total = reports.reduce((sum, report) => sum + report.inputs, 0)
const violations = reports.filter(({ violation }) => violation !== undefined).length
print(`\n${total} inputs in ${secondsSoFar().toFixed(1)} s, ${Math.round(total / secondsSoFar())} a second`)
print(`answers  ${statusesOf(reports)}`)
print(`${violations} violations (seed ${seed})`)
process.exitCode = violations > 0 ? 1 : 0
