import { allOf, readNumber } from '../../lib/cli/flags.ts'
import { isRefusal } from '../../lib/connect/refusal.ts'
import { print, tool } from '../tools/tool.ts'
import { CLASSES } from './classes.ts'
import { type ClassReport, fuzz } from './fuzz.ts'

export const fuzzing = tool({
  summary: 'Sends hostile deliveries through the whole HTTP path and checks the laws that every answer keeps.',
  teaches: 'Exit code 1 if a law is broken; the input is printed as small as it could be made.',
  flags: {
    inputs: { value: 'N', help: 'how many (default 20000)' },
    seed: { value: 'S', help: 'of all inputs (default: another one each time, which is printed)' },
  },
  async run({ flags }) {
    const anySeed = Math.floor(Math.random() * 2 ** 31)
    const asked = allOf(
      readNumber(flags.inputs, 'inputs', { min: 1, max: 1_000_000_000, otherwise: 20_000 }),
      readNumber(flags.seed, 'seed', { min: 0, max: Number.MAX_SAFE_INTEGER, otherwise: anySeed }),
    )
    if (isRefusal(asked)) return asked
    const [inputs, seed] = asked
    const started = performance.now()
    const secondsSoFar = (): number => (performance.now() - started) / 1000
    print(`seed ${seed}`)
    const reports: ClassReport[] = []
    for (const [name, kind] of Object.entries(CLASSES)) {
      const report = await fuzz(kind, Math.ceil(kind.share * inputs), seed)
      reports.push(report)
      print(`${String(report.inputs).padStart(9)}  ${name}  ${statusesOf([report])}  (${secondsSoFar().toFixed(0)} s)`)
      if (report.violation !== undefined) print(`\n${report.violation}\n`)
    }
    const total = reports.reduce((sum, report) => sum + report.inputs, 0)
    const violations = reports.filter(({ violation }) => violation !== undefined).length
    print(`\n${total} inputs in ${secondsSoFar().toFixed(1)} s, ${Math.round(total / secondsSoFar())} a second`)
    print(`answers  ${statusesOf(reports)}`)
    print(`${violations} violations (seed ${seed})`)
    return violations > 0 ? 1 : 0
  },
})

const statusesOf = (of: readonly ClassReport[]): string => {
  const counts = new Map<number, number>()
  for (const { statuses } of of) {
    for (const [status, count] of statuses) counts.set(status, (counts.get(status) ?? 0) + count)
  }
  return [...counts]
    .sort(([left], [right]) => left - right)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}
