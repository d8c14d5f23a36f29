import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refuse } from '../../lib/connect/refusal.ts'
import { readPrices } from '../../lib/cost/prices.ts'
import { complain, print, tool } from '../tools/tool.ts'
import { chart } from './chart.ts'
import { type Comparison, compare, isSteady } from './compare.ts'
import { type Counts, countAll } from './counts.ts'
import { measureLocal } from './local.ts'
import { page } from './page.ts'
import { report } from './report.ts'
import type { Interval } from './statistics.ts'

const ROOT = join(import.meta.dirname, '../..')
const QUICK = { cold: 15, warm: 9, quick: true, minutes: 7.5 }
const FULL = { cold: 25, warm: 15, quick: false, minutes: Number.POSITIVE_INFINITY }

export const receiveBench = tool({
  summary:
    'Compares receive function and worker with the SDK, with Powertools and with the least that is possible: CPU, calls and dollars.',
  teaches: 'Exit code 2 if the control, one variant measured against itself, says that the machine is too busy.',
  flags: {
    quick: {
      help: `at most ${QUICK.cold} cold and ${QUICK.warm} warm rounds instead of ${FULL.cold} and ${FULL.warm}, as many as nine minutes allow, and only of what the ratios need`,
    },
    json: { value: 'FILE', help: 'also write the ratios, their intervals, the control and the counts as JSON' },
    docs: { help: 'write docs/performance.md and docs/performance.svg from this run; not with --quick' },
    counts: { help: 'only what is exact: calls, write units, dollars' },
  },
  async run({ flags }) {
    if (flags.quick && flags.docs) return refuse('--docs takes a whole run: leave --quick away.', 2)
    const rounds = flags.quick ? QUICK : FULL
    const until = performance.now() + rounds.minutes * 60_000
    const prices = readPrices()
    const counts = await countAll(prices)
    if (flags.counts) {
      print(report(undefined, counts, prices))
      return 0
    }
    const localVsBefore = await measureLocal(LOCAL.turns, LOCAL.events)
    const comparison = await compare({ ...rounds, until, pinned: pinned(), tell: complain })
    print(report(comparison, counts, prices))
    if (localVsBefore) print(`\n${saysLocal(localVsBefore)}`)
    if (flags.json)
      writeFileSync(flags.json, `${JSON.stringify({ ...resultOf(comparison, counts), localVsBefore }, null, 2)}\n`)
    if (!isSteady(comparison)) {
      return refuse(
        'Void: the control, one variant measured against itself, is outside 0.95 to 1.05. This machine is too busy.',
        2,
      )
    }
    if (flags.docs) {
      writeFileSync(join(ROOT, 'docs/performance.svg'), chart(comparison))
      writeFileSync(join(ROOT, 'docs/performance.md'), page(comparison, counts, prices, FULL))
    }
    return 0
  },
})

/** New events for each version in each turn. */
const LOCAL = { turns: 7, events: 300 }

const saysLocal = ({ median, low, high }: Interval): string =>
  `\`npm start\`, new events a second beside the version before: ${median.toFixed(2)} times as many, ${low.toFixed(2)} to ${high.toFixed(2)}.`

/** Stub and harness on the first CPU; the measured processes have the second. */
const pinned = (): boolean => {
  try {
    execFileSync('taskset', ['-acp', '0', String(process.pid)], { stdio: 'ignore' })
    return true
  } catch {
    complain('No taskset here: the measured processes share their CPU with the stub.')
    return false
  }
}

const resultOf = (comparison: Comparison, counts: Counts) => {
  const { figures, workers, bySize, ...ratios } = comparison
  return { ...ratios, counts, figures, workers, bySize, node: process.version, at: new Date().toISOString() }
}
