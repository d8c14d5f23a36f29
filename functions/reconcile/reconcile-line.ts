import type { ListComparison } from '../domain/reconciler.ts'
import { emfLine } from '../log/emf-line.ts'

/** One line for each source that was compared, or could not be, which is also its metrics. */
export const reconcileLine = (environment: string, told: ListComparison): string => {
  const { source, at, missing, taken, redelivered, why, ...fields } = told
  return emfLine({
    at,
    environment,
    source,
    counts: [],
    values: { Missing: missing, Taken: taken + redelivered, Compared: why === null ? 1 : 0 },
    fields: { reconcile: true, ...fields, redelivered, why },
  })
}
