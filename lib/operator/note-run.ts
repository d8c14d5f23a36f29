import type { NewComparison } from '../../functions/domain/reconciler.ts'
import type { CompareOrder } from '../../functions/operate/compare-sent.ts'
import { MOST_WHY } from '../../functions/operate/read-request.ts'
import type { Report } from '../../functions/operate/reconcile-tally.ts'
import type { Operator } from './open-operator.ts'

/** Notes what a run found, as the schedule does, for `doctor` and the console. */
export const noteRun = async (
  operator: Pick<Operator, 'noteComparison' | 'now'>,
  { source, since, until = operator.now() }: Pick<CompareOrder, 'source' | 'since' | 'until'>,
  { listed, known, missing, taken, redelivered, unknown }: Omit<Report, 'next'>,
  why: string | null,
): Promise<NewComparison> => {
  const counts = { listed, known, missing: missing.length, taken, redelivered, unknown }
  const comparison = { source, since, until, why: why?.slice(0, MOST_WHY) ?? null, ...counts }
  // A stack of an older version cannot note it: what was found is no less true.
  await operator.noteComparison(comparison).catch(() => {})
  return comparison
}
