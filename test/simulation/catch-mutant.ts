import type { Mutant } from './mutants/mutant.ts'
import { type Proof, runSchedules } from './run-schedules.ts'

/** Runs until the mutant has broken the promise that it is said to break: first the seed that is named, alone, then one after another. */
const [hunting = '', count = '4000', first] = process.argv.slice(2)
const { focus }: Mutant = JSON.parse(process.env.HOOKLATCH_MUTANT ?? '{}')

const brokenIn = ({ violations }: Proof) =>
  violations.flatMap(each => each.violations.map(said => ({ seed: each.seed, promise: said.split(':')[0] ?? '' })))

const stretches = [
  ...(first === undefined ? [] : [{ from: Number(first), count: 1 }]),
  { from: 1, count: Number(count) },
]
let schedules = 0
let caught: { readonly seed: number; readonly promise: string } | undefined
const others = new Set<string>()
for (const stretch of stretches) {
  const proof = await runSchedules({ ...stretch, hunting, focus })
  const broken = brokenIn(proof)
  schedules += proof.schedules
  for (const { promise } of broken) others.add(promise)
  caught = broken.find(({ promise }) => promise.startsWith(hunting))
  if (caught) break
}
process.stdout.write(
  JSON.stringify({ schedules, caughtBy: caught?.promise ?? null, seed: caught?.seed, others: [...others] }),
)
