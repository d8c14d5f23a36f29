import { readFileSync } from 'node:fs'
import { arch, cpus } from 'node:os'
import { join } from 'node:path'
import type { Prices } from '../../lib/cost/prices.ts'
import type { Comparison } from './compare.ts'
import type { Counts } from './counts.ts'
import { reached } from './reached.ts'
import { report } from './report.ts'

const ROOT = join(import.meta.dirname, '../..')

/** docs/performance.md: the words of performance-page.md around the tables of this run. */
export const page = (
  comparison: Comparison,
  counts: Counts,
  prices: Prices,
  rounds: { readonly cold: number; readonly warm: number },
): string => {
  const words = readFileSync(join(import.meta.dirname, 'performance-page.md'), 'utf8')
  const { devDependencies, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const run = [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version.slice(1)}, ${cpus().length} CPUs (${cpus()[0]?.model.trim()}, ${arch()}),`,
    `@aws-sdk/client-dynamodb ${dependencies['@aws-sdk/client-dynamodb']},`,
    `@aws-lambda-powertools/idempotency ${devDependencies['@aws-lambda-powertools/idempotency']},`,
    `${rounds.cold} cold and ${rounds.warm} warm rounds.`,
  ].join(' ')
  return words
    .replace('{{reached}}', () => reached(comparison, counts))
    .replace('{{run}}', run)
    .replace('{{tables}}', () => report(comparison, counts, prices))
}
