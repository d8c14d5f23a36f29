import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { collectedTests, collectFrom, endAll } from '../mutation/vitest.ts'

/** Runs every test of a file whose title begins like that, with the mutant in the modules: one that fails has caught it. */
const [file = '', title = ''] = process.argv.slice(2)

const url = import.meta.resolve('../mutation/vitest.ts')
const tests = import.meta.resolve('../')

/** Test files, and the laws that several of them have in common. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vitest' && context.parentURL?.startsWith(tests) && context.parentURL !== url
      ? { url, shortCircuit: true }
      : next(specifier, context),
})

await collectFrom(file, () => import(pathToFileURL(resolve(file)).href))
const meant = collectedTests().filter(({ id }) => id.includes(` > ${title}`))
if (meant.length === 0) throw new Error(`${file} has no test "${title}"`)
let run = 0
let caughtBy: string | null = null
for (const test of meant) {
  run++
  const failed = await Promise.resolve()
    .then(test.run)
    .then(
      () => false,
      () => true,
    )
  if (!failed) continue
  caughtBy = title
  break
}
await endAll()
process.stdout.write(JSON.stringify({ schedules: run, caughtBy }), () => process.exit())
