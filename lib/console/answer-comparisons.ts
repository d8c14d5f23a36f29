import { iso } from '../../functions/domain/brands.ts'
import { isRefusal } from '../connect/refusal.ts'
import { problem } from './problem.ts'
import type { Answering } from './question.ts'
import { posted } from './request.ts'
import type { ComparisonView } from './world.ts'

/** When each source was last compared with its sender's list, and what was missing. */
export const answerComparisons: Answering = async ({ world: { comparisons } }) => {
  const views = comparisons.sources.map(async (source): Promise<ComparisonView> => {
    const last = await comparisons.last(source)
    if (last === undefined) return { source, last: null }
    const { at, actor, why, listed, missing, taken, redelivered } = last
    return { source, last: { at: iso(at), actor, why, listed, missing, taken: taken + redelivered } }
  })
  return { json: { comparisons: await Promise.all(views) } }
}

/** Longer than a list of some thousand events takes; a longer one is for the command. */
const MOST_MS = 120_000

export const answerCompare = posted(async ({ world: { comparisons }, named: { source = '' }, gone }) => {
  const compared = await comparisons.compare(source, AbortSignal.any([gone, AbortSignal.timeout(MOST_MS)]))
  return isRefusal(compared) ? problem('refused', compared.refused) : { json: compared }
})
