import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import { order } from './compare.ts'
import type { KeySchema } from './key-schema.ts'

export type Entry = readonly [key: string, item: Item]

/** What a query asks for. */
export interface Range {
  readonly partition: unknown
  /** Of the sort key, as far as they are known: what `matches` lies between them, but not all between them matches. */
  readonly low?: unknown
  readonly high?: unknown
  readonly matches: (item: Item) => boolean
  readonly direction: 1 | -1
  /** Where the page before ended. */
  readonly after: Entry | undefined
}

/** The entries of a partition that match, for whoever does not keep them in order. */
export const inOrder = (
  { sortKey }: KeySchema,
  entries: Iterable<Entry>,
  { matches, direction, after }: Range,
): readonly Entry[] => {
  const compare = ([leftKey, left]: Entry, [rightKey, right]: Entry): number => {
    const difference = sortKey ? (order(left[sortKey.name], right[sortKey.name]) ?? 0) : 0
    return direction * (difference || (order(leftKey, rightKey) ?? 0))
  }
  const found = [...entries].filter(([, item]) => matches(item)).sort(compare)
  return after ? found.filter(entry => compare(entry, after) > 0) : found
}
