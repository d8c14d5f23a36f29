import type { DynamoCalls, Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import { itemBytes } from '../../lib/memory-aws/item-size.ts'

export interface Asked {
  calls: number
  queries: number
  /** That the queries answered. */
  entries: number
  /** As DynamoDB bills them: 4 KB each, half of that if the read need not be consistent. */
  readUnits: number
}

/** The same table, and what it is asked for. */
export const countedDynamo = (dynamo: DynamoCalls): { readonly dynamo: DynamoCalls; readonly asked: Asked } => {
  const asked: Asked = { calls: 0, queries: 0, entries: 0, readUnits: 0 }
  const read = (sizes: readonly number[], consistent: boolean | undefined): void => {
    for (const size of sizes) asked.readUnits += Math.max(1, Math.ceil(size / 4_096)) * (consistent ? 1 : 0.5)
  }
  const counts =
    <Given, Answer>(call: (given: Given) => Promise<Answer>, note: (given: Given, answer: Answer) => void = () => {}) =>
    async (given: Given): Promise<Answer> => {
      asked.calls += 1
      const answer = await call(given)
      note(given, answer)
      return answer
    }
  return {
    asked,
    dynamo: {
      putItem: counts(dynamo.putItem),
      updateItem: counts(dynamo.updateItem),
      transactWriteItems: counts(dynamo.transactWriteItems),
      getItem: counts(dynamo.getItem, (get, item) => read([bytesOf(item)], get.ConsistentRead)),
      batchGetItem: counts(dynamo.batchGetItem, (get, { items }) => read(items.map(itemBytes), get.ConsistentRead)),
      query: counts(dynamo.query, (_, { items }) => {
        asked.queries += 1
        asked.entries += items.length
        read([items.reduce((sum, item) => sum + itemBytes(item), 0)], false)
      }),
    },
  }
}

const bytesOf = (item: Item | undefined): number => (item === undefined ? 0 : itemBytes(item))
