import { type Refusal, refuse } from '../../connect/refusal.ts'
import { everyKept, type KeptIn } from '../../operator/every-kept.ts'
import type { KeptView } from '../../operator/kept-view.ts'
import type { Operator } from '../../operator/operator.ts'

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
