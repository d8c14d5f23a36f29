import { type Refusal, refuse } from '../../connect/refusal.ts'
import { allKept, type KeptIn, sourcesOf } from '../../operator/every-kept.ts'
import type { KeptView } from '../../operator/kept-view.ts'
import type { Operator } from '../../operator/open-operator.ts'

/** By its key, its correlation id, or an unmistakable beginning of that. */
export const findKept = async (
  operator: Operator,
  keptIn: KeptIn,
  source: string | undefined,
  text: string,
): Promise<KeptView | Refusal> => {
  if (text === '') return refuse('The delivery is empty: give its key, its correlation id or the beginning of that.', 2)
  const named = await Promise.all(sourcesOf(operator, source).map(each => operator[keptIn].show(each, text)))
  const exact = named.filter(kept => kept !== undefined)
  const begins = ({ correlationId }: KeptView): boolean => correlationId.startsWith(text)
  const meant = exact.length > 0 ? exact : (await allKept(operator, keptIn, source)).filter(begins)
  const [one, other] = meant
  if (one === undefined)
    return refuse(`No delivery "${text}" is kept: \`npx hooklatch ${keptIn} list\` shows the kept ones.`)
  return other === undefined ? one : refuse(`"${text}" matches ${meant.length} deliveries: give more characters.`, 2)
}
