import type { DynamoCalls, Item, Query, Transacted } from '../../../functions/adapters/wire/dynamo-calls.ts'
import type { Operation } from './random-operations.ts'

export interface Answer {
  /** In a form that can be compared: an error by its name, items without an order sorted. */
  readonly answer: unknown
  /** What the error says. */
  readonly why: string
}

export const carryOut = async (
  dynamo: DynamoCalls,
  { call, input }: Operation,
  place: (name: string, text: string) => string,
): Promise<Answer> => {
  try {
    return { answer: await CALLS[call](dynamo, placed(input, place) as never), why: '' }
  } catch (error) {
    return { answer: { error: (error as Error).name }, why: (error as Error).message }
  }
}

const CALLS: { readonly [Name in keyof DynamoCalls]: (dynamo: DynamoCalls, input: never) => Promise<unknown> } = {
  putItem: (dynamo, input) => dynamo.putItem(input),
  updateItem: (dynamo, input) => dynamo.updateItem(input),
  getItem: (dynamo, input) => dynamo.getItem(input),
  batchGetItem: async (dynamo, input) => {
    const { items, unprocessed } = await dynamo.batchGetItem(input)
    return { items: items.toSorted(byKey), unprocessed: unprocessed.toSorted(byKey) }
  },
  transactWriteItems: async (dynamo, input) => withoutError(await dynamo.transactWriteItems(input)),
  query: (dynamo, input) => allPages(dynamo, input),
}

const byKey = (left: Item, right: Item): number => (`${left.id} ${left.place}` < `${right.id} ${right.place}` ? -1 : 1)

const withoutError = (transacted: Transacted): unknown =>
  transacted.kind === 'written' ? transacted : { kind: transacted.kind, reasons: transacted.reasons }

const MOST_PAGES = 30

/** Page after page, as a caller follows `lastKey`: how long each is, and all items in their order. */
const allPages = async (dynamo: DynamoCalls, query: Query): Promise<unknown> => {
  const items: Item[] = []
  const pages: number[] = []
  let start: Item | undefined
  do {
    const page = await dynamo.query({ ...query, ...(start && { ExclusiveStartKey: start }) })
    pages.push(page.items.length)
    items.push(...page.items)
    start = page.lastKey
  } while (start && pages.length < MOST_PAGES)
  // Whether a page that ends with the last item names a next one, AWS leaves open.
  if (pages.at(-1) === 0) pages.pop()
  return { pages, items: query.IndexName ? settled(items) : items }
}

/** Those of one sort key in an index have no order that AWS promises: here, that of their keys. */
const settled = (items: readonly Item[]): Item[] => {
  const runs: Item[][] = []
  for (const item of items) {
    const run = runs.at(-1)
    // The index of the table that has a `place` has no sort key.
    if (run && (item.place !== undefined || run[0]?.at === item.at)) run.push(item)
    else runs.push([item])
  }
  return runs.flatMap(run => run.toSorted(byKey))
}

/** Each table by the name it has on the engine, each text that starts with `@` in its sequence. */
const placed = (value: unknown, place: (name: string, text: string) => string, name = ''): unknown => {
  if (typeof value === 'string') return place(name, value)
  if (Array.isArray(value)) return value.map(each => placed(each, place))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Set) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, placed(each, place, key)]))
}
