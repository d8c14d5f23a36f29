import { millis } from '../../functions/domain/brands.ts'
import type { KeptView } from './kept-view.ts'
import type { Operator } from './operator.ts'

const DAY_MS = 86_400_000

/** How long each is worth looking back: captured deliveries are kept for three days. */
const LOOK_BACK_MS = { quarantine: 30 * DAY_MS, capture: 3 * DAY_MS } as const

export type KeptIn = keyof typeof LOOK_BACK_MS

/** What is kept, of one source or of all, newest first. */
export const everyKept = async (
  operator: Pick<Operator, 'now' | 'sources' | KeptIn>,
  keptIn: KeptIn,
  source: string | undefined,
  limit = 1_000,
): Promise<readonly KeptView[]> => {
  const from = millis(operator.now() - LOOK_BACK_MS[keptIn])
  const sources = source === undefined ? operator.sources : [source]
  const lists = await Promise.all(sources.map(each => operator[keptIn].list({ source: each, from, limit })))
  return lists
    .flat()
    .sort((left, right) => (left.key < right.key ? 1 : -1))
    .slice(0, limit)
}
