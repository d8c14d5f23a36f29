import { iso } from '../../../functions/domain/brands.ts'
import type { ListComparison } from '../../../functions/domain/reconciler.ts'
import type { Check, Finding } from './finding.ts'

/** When each source with `reconcile` was last compared with its sender's list, and what was missing. */
export const checkComparisons: Check = async ({ connection, sources }) => {
  const scheduled = [...sources.values()].filter(({ reconcile }) => reconcile !== undefined)
  return Promise.all(
    scheduled.map(async ({ name }) => {
      const last = await connection.stores.reconciler.last(name)
      return last ? told(last) : { level: 'warning' as const, subject: name, says: NEVER, fix: FIX(name) }
    }),
  )
}

const NEVER = "it was never compared with its sender's list"
const FIX = (source: string): string => `npx hooklatch secrets set ${source} --api-key`

const told = ({ source, at, why, listed, missing, taken, redelivered }: ListComparison): Omit<Finding, 'check'> => {
  const counts = `${listed} listed, ${missing} missing, ${taken + redelivered} taken`
  const says = `last compared with its sender's list at ${iso(at)}: ${counts}${why === null ? '' : `; ${why}`}`
  const left = why !== null || missing > taken + redelivered
  return left
    ? { level: 'warning', subject: source, says, fix: `npx hooklatch reconcile ${source} --dry-run` }
    : { level: 'ok', subject: source, says, fix: null }
}
