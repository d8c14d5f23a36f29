import { runSchedules } from './run-schedules.ts'

/** Runs until the mutant has broken the promise that it is said to break, and says in which schedule. */
const [hunting = '', count = '20000'] = process.argv.slice(2)
const { schedules, violations } = await runSchedules({ from: 1, count: Number(count), hunting })
const found = violations.flatMap(each => each.violations)
const caughtBy = found.find(each => each.startsWith(hunting))?.split(':')[0] ?? null
// What else it breaks, for whoever wonders why it was not caught.
process.stdout.write(
  JSON.stringify({ schedules, caughtBy, others: [...new Set(found.map(each => each.split(':')[0]))] }),
)
