import { type Metric, UNKNOWN_SOURCE } from '../../../functions/contract/metrics.ts'
import { millis } from '../../../functions/domain/brands.ts'
import { countsOf } from '../../connect/counts-of.ts'
import { type Counts, sumOf } from '../../operator/counts.ts'
import { findFailed, type StillFailed } from './find-failed.ts'
import { type Check, type Found, fine, warning, wrong } from './finding.ts'

const HOUR_MS = 3_600_000
/** What a delivery comes to. */
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
const strangers = (count: number): readonly Found[] => {
  const says = `${count} on the queue within the last day were not written by our functions: forged, or of another version. No handler saw them`
  return count === 0 ? [] : [wrong(says, 'docs/runbook.md#failedunknown', 'messages')]
}

/** What was replayed since, or sent again by its sender, does not count. */
const judgeFailed = (source: string, failed: number, { bySource, complete }: StillFailed): readonly Found[] => {
  const now = bySource.get(source) ?? 0
  const fix = `npx hooklatch events --source ${source} --status failed`
  if (now > 0) {
    const says = `${now} ${now === 1 ? 'event has' : 'events have'} failed for good within the last day and ${now === 1 ? 'is' : 'are'} still failed`
    return [wrong(complete ? says : `at least ${says}`, fix, source)]
  }
  if (complete) return []
  const says = `${failed} failures for good within the last day. There are too many events to say quickly whether they were fixed since`
  return [warning(says, fix, source)]
}

const judge = (source: string, hour: Counts): readonly Found[] => {
  const duplicates = sumOf(hour, source, 'Duplicate')
  const genuine = duplicates + sumOf(hour, source, 'Accepted')
  const percent = genuine < OUT_OF ? 0 : (100 * duplicates) / genuine
  const rejected = sumOf(hour, source, 'Rejected')
  const unavailable = sumOf(hour, source, 'Unavailable')
  const many = `${Math.round(percent)} % of the last hour's ${genuine} genuine deliveries were duplicates: its sender may not be getting our answers in time`
  const refused = `${rejected} deliveries were rejected within the last hour: a secret may be wrong, or someone sends forged deliveries`
  const outage = `${unavailable} deliveries were answered 503 or messages put back within the last hour: a table, a queue or a secret could not be reached`
  return [
    ...(percent >= DUPLICATE_PERCENT ? [warning(many, 'docs/runbook.md#duplicates', source)] : []),
    ...(rejected >= REJECTED ? [warning(refused, 'docs/runbook.md#rejected', source)] : []),
    ...(unavailable > 0 ? [wrong(outage, 'docs/runbook.md#unavailable', source)] : []),
  ]
}
