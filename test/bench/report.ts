import type { Prices } from '../../lib/cost/prices.ts'
import type { Comparison } from './compare.ts'
import { CASES, type Counts } from './counts.ts'
import { SIZES, type Size } from './deliveries.ts'
import { GOALS, isMet, type Ratio } from './goals.ts'
import { VARIANTS, type Variant, WORKERS, type Worker } from './variants.ts'

/** The result as Markdown, which is a table for people too. */
export const report = (comparison: Comparison | undefined, counts: Counts, prices: Prices): string =>
  [
    ...(comparison
      ? [ratioTable(comparison), figureTable(comparison), workerTable(comparison), growthTable(comparison)]
      : []),
    countTable(counts, prices),
  ].join('\n\n')

const ratioTable = (comparison: Comparison): string =>
  table(
    ['CPU over TLS, ratio', 'median', '95 % interval', 'goal', ''],
    (Object.keys(GOALS) as Ratio[]).map(name => {
      const { median, low, high } = comparison[name]
      const { says, atMost } = GOALS[name]
      return [
        says,
        median.toFixed(2),
        `${low.toFixed(2)} to ${high.toFixed(2)}`,
        ...(atMost === null
          ? ['-', '']
          : [`at most ${atMost}`, isMet(comparison[name], GOALS[name]) ? 'met' : 'missed']),
      ]
    }),
    `Control (SDK + Powertools against itself): ${comparison.control.median.toFixed(3)}, ${comparison.control.low.toFixed(3)} to ${comparison.control.high.toFixed(3)}.`,
  )

const figureTable = ({ figures }: Comparison): string =>
  table(
    ['CPU ms', 'bundle', 'init', 'first', 'init, TLS', 'first, TLS', 'new, TLS', 'duplicate, TLS', 'forged', 'memory'],
    (Object.keys(VARIANTS) as Variant[]).map(variant => {
      const each = figures[variant]
      return [
        VARIANTS[variant],
        `${(each.bundleBytes / 1000).toFixed(1)} KB`,
        ...[each.initCpu, each.firstCpu, each.initTlsCpu, each.firstTlsCpu].map(value => shown(value, 1)),
        ...[each.newCpu, each.duplicateCpu, each.forgedCpu].map(value => shown(value, 2)),
        `${shown(each.rss / 1e6, 0)} MB`,
      ]
    }),
  )

const workerTable = ({ workers }: Comparison): string =>
  table(
    ['worker, CPU ms, TLS', 'bundle', 'init', 'first batch of ten', 'an event, warm', 'memory'],
    (Object.keys(WORKERS) as Worker[]).map(worker => {
      const { bundleBytes, initCpu, firstCpu, eventCpu, rss } = workers[worker]
      return [
        WORKERS[worker],
        `${(bundleBytes / 1000).toFixed(1)} KB`,
        ...[initCpu, firstCpu].map(value => shown(value, 1)),
        shown(eventCpu, 2),
        `${shown(rss / 1e6, 0)} MB`,
      ]
    }),
  )

/** A quick run measures less. */
const shown = (value: number, digits: number): string => (Number.isNaN(value) ? '-' : value.toFixed(digits))

const growthTable = ({ bySize }: Comparison): string =>
  table(
    ['CPU ms per new event', ...Object.keys(SIZES)],
    (['lean', 'powertools'] as const).map(variant => [
      VARIANTS[variant],
      ...(Object.keys(SIZES) as Size[]).map(size => shown(bySize[variant][size], 2)),
    ]),
  )

const countTable = (counts: Counts, { asOf, region }: Prices): string =>
  table(
    ['exact', 'body', 'calls', 'write units', 'SQS chunks', '$ per million'],
    CASES.flatMap(name =>
      (Object.keys(SIZES) as Size[]).map(size => {
        const { calls, writeUnits, queueChunks, dollarsPerMillion } = counts[name][size]
        return [name, size, ...[calls, writeUnits, queueChunks].map(String), dollarsPerMillion.toFixed(2)]
      }),
    ),
    `A sender that retries, retention off, HTTP API, list prices of ${region} on ${asOf}, logs aside.`,
  )

const table = (head: readonly string[], rows: readonly (readonly string[])[], note?: string): string => {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map(row => (row[column] ?? '').length)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map(width => '-'.repeat(Math.max(3, width))).join(' | ')} |`
  return [line(head), rule, ...rows.map(line), ...(note ? ['', note] : [])].join('\n')
}
