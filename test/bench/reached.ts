import type { Comparison } from './compare.ts'
import type { Count, Counts } from './counts.ts'
import { GOALS, isMet, type Ratio } from './goals.ts'
import type { Interval } from './statistics.ts'

/** What a reader of the page wants to know first, as a list. */
export const reached = (comparison: Comparison, counts: Counts): string => {
  const { lean, powertools } = comparison.figures
  const [fresh, duplicate, forged] = [counts.new['8KB'], counts.duplicate['8KB'], counts.forged['8KB']]
  const goals = (Object.keys(GOALS) as Ratio[]).filter(name => GOALS[name].atMost !== null)
  const met = goals.filter(name => isMet(comparison[name], GOALS[name])).length
  return [
    `A new event takes ${share(comparison.warmNewVsPowertools)} of the CPU of the AWS SDK with Powertools, ${cost(fresh)}.`,
    `A duplicate takes ${share(comparison.warmDuplicateVsPowertools)} of it, ${cost(duplicate)}. A forged delivery takes ${cost(forged)}.`,
    `A cold start, init and first delivery together, takes ${share(comparison.coldTlsVsPowertools)} of it.`,
    `The floor makes the same calls by hand, and does nothing else. A cold start takes ${share(comparison.coldTlsVsFloor)} of it, a new event ${share(comparison.warmNewVsFloor)}, a duplicate ${share(comparison.warmDuplicateVsFloor)}.`,
    `Behind the queue, the worker takes ${share(comparison.workerColdVsPowertools)} of Powertools batch and idempotency at a cold start, and ${share(comparison.workerWarmVsPowertools)} for an event of a batch of ten.`,
    `From 1 KB to 1 MB the CPU grows ${share(comparison.slopeVsPowertools)} times as much as theirs.`,
    `The bundle is ${kilobytes(lean.bundleBytes)} instead of ${kilobytes(powertools.bundleBytes)}, the memory ${megabytes(lean.rss)} instead of ${megabytes(powertools.rss)}.`,
    `${met} of our own ${goals.length} goals ${met === 1 ? 'is' : 'are'} met; [the others](#goals-that-are-missed-and-why) have their reasons.`,
  ]
    .map(line => `- ${line}`)
    .join('\n')
}

const share = ({ median, low, high }: Interval): string =>
  `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`

const cost = ({ calls, dollarsPerMillion }: Count): string =>
  `${calls === 0 ? 'no call' : `${calls} call${calls === 1 ? '' : 's'}`} to AWS and $${dollarsPerMillion.toFixed(2)} a million`

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} KB`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
