import { iso } from '../../../functions/domain/brands.ts'
import type { ListComparison } from '../../../functions/domain/reconciler.ts'
import { isComparable } from '../../connect/compare-source.ts'
import { type Check, type Found, fine, warning } from './finding.ts'

/** When a source was last compared with its sender's list, and what was missing. One with `reconcile` has to be. */
export const checkComparisons: Check = async ({ connection, sources }) => {
  const found = [...sources.values()].filter(isComparable).map(async ({ name, reconcile }) => {
    const last = await connection.stores.reconciler.last(name)
    if (last) return [told(last)]
    return reconcile ? [warning(NEVER, `npx hooklatch secrets set ${name} --api-key`, name)] : []
  })
  return (await Promise.all(found)).flat()
}

const NEVER = "it was never compared with its sender's list"

const told = ({ source, at, why, listed, missing, taken, redelivered }: ListComparison): Found => {
  const counts = `${listed} listed, ${missing} missing, ${taken + redelivered} taken`
  const says = `last compared with its sender's list at ${iso(at)}: ${counts}${why === null ? '' : `; ${why}`}`
  const left = why !== null || missing > taken + redelivered
  return left ? warning(says, `npx hooklatch reconcile ${source} --dry-run`, source) : fine(says, null, source)
}
