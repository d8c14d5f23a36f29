import { invalid } from '../fault.ts'
import { checkKeyValue, type KeySchema, type KeyShape } from '../key-schema.ts'
import type { Range } from '../sorted.ts'
import { nameOf } from './resolve-path.ts'
import type { Condition, Operand, Placeholders } from './syntax.ts'

/** The partition that a query asks for, and between what. Throws unless it asks for one, and for a range of its sort key at most. */
export const rangeAsked = (
  tree: Condition,
  schema: KeySchema,
  given: Placeholders,
): Pick<Range, 'partition' | 'low' | 'high'> => {
  const parts = tree.kind === 'and' ? [tree.left, tree.right] : [tree]
  const ofPartition = parts.find(part => isAbout(part, schema.partitionKey, given))
  if (ofPartition?.kind !== 'compare' || ofPartition.operator !== '=') {
    throw invalid(`Query condition missed key schema element: ${schema.partitionKey.name}`)
  }
  const ofSortKey = parts.find(part => part !== ofPartition)
  const bounds = ofSortKey && boundsOf(ofSortKey, schema.sortKey, given)
  const partition = valueGiven(ofPartition.right, given)
  checkKeyValue(schema.partitionKey, partition)
  return { partition, ...bounds }
}

const isAbout = (part: Condition, key: KeyShape, { names }: Placeholders): boolean => {
  const [first] = operandsOf(part)
  return first?.kind === 'path' && first.steps.length === 1 && nameOf(String(first.steps[0]), names) === key.name
}

/** Both belong to it, even if it asks for what is above or below: that does not match. */
const boundsOf = (part: Condition, key: KeyShape | undefined, given: Placeholders): Pick<Range, 'low' | 'high'> => {
  if (!key || !isAbout(part, key, given)) throw invalid('Query key condition not supported')
  const bounds = operandsOf(part)
    .slice(1)
    .map(bound => valueGiven(bound, given))
  for (const bound of bounds) checkKeyValue(key, bound)
  const [low, high] = bounds
  if (part.kind !== 'compare') return { low, high }
  const [sign] = part.operator
  return { ...(sign !== '<' && { low }), ...(sign !== '>' && { high: low }) }
}

/** The key, and what it is compared with; none of a comparison that a query may not make. */
const operandsOf = (part: Condition): readonly Operand[] => {
  switch (part.kind) {
    case 'compare':
      return part.operator === '<>' ? [] : [part.left, part.right]
    case 'between':
      return [part.operand, part.low, part.high]
    case 'function':
      return part.name === 'begins_with' ? part.given : []
    case 'in':
    case 'and':
    case 'or':
    case 'not':
      return []
  }
}

const valueGiven = (operand: Operand, { values }: Placeholders): unknown => {
  if (operand.kind === 'value') return values[operand.name]
  throw invalid('Query key condition not supported: a key is compared with values only')
}
