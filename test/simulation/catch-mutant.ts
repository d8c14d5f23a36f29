import { runSchedules } from './run-schedules.ts'

/** Runs until the mutant has broken the promise that it is said to break: first the seeds that are named, then one after another. */
const [hunting = '', count = '20000', first = '[]'] = process.argv.slice(2)
const { schedules, violations } = await runSchedules({
  from: 1,
  count: Number(count),
  first: JSON.parse(first),
  hunting,
})
const broken = violations.flatMap(each =>
  each.violations.map(said => ({ seed: each.seed, promise: said.split(':')[0] ?? '' })),
)
const caught = broken.find(({ promise }) => promise.startsWith(hunting))
// What else it breaks, for whoever wonders why it was not caught.
const others = [...new Set(broken.map(({ promise }) => promise))]
process.stdout.write(JSON.stringify({ schedules, caughtBy: caught?.promise ?? null, seed: caught?.seed, others }))
