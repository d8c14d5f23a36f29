import { type Millis, millis } from '../../functions/domain/brands.ts'
import type { KeptView } from './kept-view.ts'
import type { Operator } from './open-operator.ts'

const DAY_MS = 86_400_000

/** How long each is worth looking back: captured deliveries are kept for three days. */
const LOOK_BACK_MS = { quarantine: 30 * DAY_MS, capture: 3 * DAY_MS } as const

export type KeptIn = keyof typeof LOOK_BACK_MS

export interface KeptPage {
  readonly deliveries: readonly KeptView[]
  /** There are older ones, which it leaves out. */
  readonly more: boolean
}

/** What is kept, of one source or of all, newest first. */
export const everyKept = async (
  operator: Keeping,
  keptIn: KeptIn,
  source: string | undefined,
  limit = 1_000,
): Promise<KeptPage> => {
  const from = fromOf(operator, keptIn)
  const lists = await Promise.all(
    sourcesOf(operator, source).map(each => operator[keptIn].list({ source: each, from, limit: limit + 1 })),
  )
  const all = lists.flat().sort((left, right) => (left.key < right.key ? 1 : -1))
  return { deliveries: all.slice(0, limit), more: all.length > limit }
}

/** The same without a limit, source by source: what is meant may lie behind any amount of junk. */
export const allKept = async (
  operator: Keeping,
  keptIn: KeptIn,
  source: string | undefined,
): Promise<readonly KeptView[]> => {
  const found: KeptView[] = []
  for (const each of sourcesOf(operator, source)) {
    for await (const kept of operator[keptIn].each(each, fromOf(operator, keptIn))) found.push(kept)
  }
  return found
}

type Keeping = Pick<Operator, 'now' | 'sources' | KeptIn>

const fromOf = (operator: Keeping, keptIn: KeptIn): Millis => millis(operator.now() - LOOK_BACK_MS[keptIn])

export const sourcesOf = ({ sources }: Keeping, source: string | undefined): readonly string[] =>
  source === undefined ? sources : [source]
