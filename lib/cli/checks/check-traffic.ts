import { type Metric, UNKNOWN_SOURCE } from '../../../functions/contract/metrics.ts'
import { millis } from '../../../functions/domain/brands.ts'
import { countsOf } from '../../connect/counts-of.ts'
import { type Counts, sumOf } from '../../operator/counts.ts'
import { findFailed, type StillFailed } from './find-failed.ts'
import { type Check, type Finding, fine } from './finding.ts'

const HOUR_MS = 3_600_000
/** What a delivery comes to. Received itself is no metric in AWS. */
const OUTCOMES = ['Accepted', 'Duplicate', 'InFlight', 'Ignored', 'Rejected', 'Unavailable'] as const
const METRICS = [...OUTCOMES, 'Failed'] as const satisfies readonly Metric[]

/** The same bounds as the alarms, so both say the same. */
const DUPLICATE_PERCENT = 5
const OUT_OF = 20
const REJECTED = 5

/** What came within the last hour, and what failed within the last day and is failed still. */
export const checkTraffic: Check = async ({ connection, sources }) => {
  const until = connection.now()
  const names = [...sources.keys()]
  const within = (hours: number) =>
    countsOf(connection, {
      sources: [...names, UNKNOWN_SOURCE],
      metrics: METRICS,
      from: millis(until - hours * HOUR_MS),
      until,
    })
  const [hour, day] = await Promise.all([within(1), within(24)])
  const failures = names.filter(source => sumOf(day, source, 'Failed') > 0)
  // Records are read only if something failed: on most days nothing did.
  const still = failures.length === 0 ? undefined : await findFailed(connection.stores.records, until)
  const found = [
    ...names.flatMap(source => judge(source, hour)),
    ...(still ? failures.flatMap(source => judgeFailed(source, sumOf(day, source, 'Failed'), still)) : []),
    ...strangers(sumOf(day, UNKNOWN_SOURCE, 'Failed')),
  ]
  const received = names.reduce((sum, source) => sum + receivedIn(hour, source), 0)
  return found.length > 0 ? found : [fine(`${received} deliveries in the last hour, nothing unusual`)]
}

const receivedIn = (hour: Counts, source: string): number =>
  OUTCOMES.reduce((sum, outcome) => sum + sumOf(hour, source, outcome), 0)

/** Nobody but our functions should be able to send there. */
const strangers = (count: number): readonly Omit<Finding, 'check'>[] =>
  count === 0
    ? []
    : [
        {
          level: 'wrong',
          subject: 'messages',
          says: `${count} on the queue within the last day were not written by our functions: forged, or of another version. No handler saw them`,
          fix: 'docs/runbook.md#failedunknown',
        },
      ]

/** What was replayed since, or sent again by its sender, does not count. */
const judgeFailed = (
  source: string,
  failed: number,
  { bySource, complete }: StillFailed,
): readonly Omit<Finding, 'check'>[] => {
  const now = bySource.get(source) ?? 0
  const fix = `npx hooklatch events --source ${source} --status failed`
  if (now > 0) {
    const says = `${now} ${now === 1 ? 'event has' : 'events have'} failed for good within the last day and ${now === 1 ? 'is' : 'are'} still failed`
    return [{ level: 'wrong', subject: source, says: complete ? says : `at least ${says}`, fix }]
  }
  if (complete) return []
  const says = `${failed} failures for good within the last day. There are too many events to say quickly whether they were fixed since`
  return [{ level: 'warning', subject: source, says, fix }]
}

const judge = (source: string, hour: Counts): Omit<Finding, 'check'>[] => {
  const duplicates = sumOf(hour, source, 'Duplicate')
  const genuine = duplicates + sumOf(hour, source, 'Accepted')
  const percent = genuine < OUT_OF ? 0 : (100 * duplicates) / genuine
  const rejected = sumOf(hour, source, 'Rejected')
  const unavailable = sumOf(hour, source, 'Unavailable')
  const all: (Omit<Finding, 'check' | 'subject'> & { readonly holds: boolean })[] = [
    {
      holds: percent >= DUPLICATE_PERCENT,
      level: 'warning',
      says: `${Math.round(percent)} % of the last hour's ${genuine} genuine deliveries were duplicates: its sender may not be getting our answers in time`,
      fix: 'docs/runbook.md#duplicates',
    },
    {
      holds: rejected >= REJECTED,
      level: 'warning',
      says: `${rejected} deliveries were rejected within the last hour: a secret may be wrong, or someone sends forged deliveries`,
      fix: 'docs/runbook.md#rejected',
    },
    {
      holds: unavailable > 0,
      level: 'wrong',
      says: `${unavailable} deliveries were answered 503 or messages put back within the last hour: a table, a queue or a secret could not be reached`,
      fix: 'docs/runbook.md#unavailable',
    },
  ]
  return all.flatMap(({ holds, ...finding }) => (holds ? [{ ...finding, subject: source }] : []))
}
