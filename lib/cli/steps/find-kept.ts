import { millis } from '../../../functions/domain/brands.ts'
import { type Refusal, refuse } from '../../connect/refusal.ts'
import type { KeptView } from '../../operator/kept-view.ts'
import type { Operator } from '../../operator/operator.ts'

const LOOK_BACK_MS = 3 * 86_400_000
const MOST = 1_000

type KeptIn = 'quarantine' | 'capture'

/** What is kept, of one source or of all, newest first. */
export const everyKept = async (
  operator: Operator,
  keptIn: KeptIn,
  source: string | undefined,
  limit = MOST,
): Promise<readonly KeptView[]> => {
  const from = millis(operator.now() - LOOK_BACK_MS)
  const sources = source === undefined ? operator.sources : [source]
  const lists = await Promise.all(sources.map(each => operator[keptIn].list({ source: each, from, limit })))
  return lists
    .flat()
    .sort((left, right) => (left.key < right.key ? 1 : -1))
    .slice(0, limit)
}

/** By its key, its correlation id, or an unmistakable beginning of that. */
export const findKept = async (
  operator: Operator,
  keptIn: KeptIn,
  source: string | undefined,
  text: string,
): Promise<KeptView | Refusal> => {
  const kept = await everyKept(operator, keptIn, source)
  const meant = kept.filter(({ key, correlationId }) => key === text || correlationId.startsWith(text))
  const [one, other] = meant
  if (one === undefined)
    return refuse(`No delivery "${text}" is kept: \`npx hooklatch ${keptIn} list\` shows the kept ones.`)
  return other === undefined ? one : refuse(`"${text}" matches ${meant.length} deliveries: give more characters.`, 2)
}
