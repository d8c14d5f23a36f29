import { runSchedules } from './run-schedules.ts'

/** Runs until the mutant is caught, and says in which schedule and by which invariant. */
const [from = '1', count = '20000'] = process.argv.slice(2)
const { schedules, violations } = await runSchedules({ from: Number(from), count: Number(count), impatient: true })
process.stdout.write(JSON.stringify({ schedules, seed: violations[0]?.seed, by: violations[0]?.violations[0] }))
