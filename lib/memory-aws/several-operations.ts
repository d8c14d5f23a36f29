import { randomUUID } from 'node:crypto'
import type { MemoryDynamo } from './dynamo.ts'
import { type Operations, plainly, type Request } from './operation.ts'
import { fromWire, toWire, type WireItem } from './wire-value.ts'

/** What asks for several items at once. */
export const severalOperations = ({ calls }: MemoryDynamo): Operations => ({
  BatchGetItem: {
    takes: 'RequestItems',
    run({ RequestItems }) {
      const asked = Object.entries(RequestItems as Record<string, { readonly Keys: readonly WireItem[] }>)
      const responses = asked.map(([TableName, { Keys }]) => {
        const { items } = calls.batchGetItem({ TableName, Keys: Keys.map(fromWire) })
        return [TableName, items.map(toWire)]
      })
      return { Responses: Object.fromEntries(responses), UnprocessedKeys: {} }
    },
  },
  BatchWriteItem: {
    takes: 'RequestItems',
    run({ RequestItems }) {
      const asked = Object.entries(RequestItems as Record<string, readonly Request[]>)
      const writes = asked.flatMap(([TableName, requests]) =>
        requests.map(({ PutRequest, DeleteRequest }) =>
          PutRequest
            ? { Put: { TableName, Item: fromWire(PutRequest.Item) } }
            : { Delete: { TableName, Key: fromWire(DeleteRequest?.Key ?? {}) } },
        ),
      )
      // One by one: a batch is no transaction.
      for (const write of writes) {
        const answer = calls.transactWriteItems({ TransactItems: [write], ClientRequestToken: randomUUID() })
        if (answer.kind === 'cancelled') throw answer.error
      }
      return { UnprocessedItems: {} }
    },
  },
  TransactWriteItems: {
    takes: 'TransactItems ClientRequestToken',
    run({ TransactItems, ClientRequestToken = randomUUID() }) {
      const writes = (TransactItems as readonly Request[]).map(each =>
        Object.fromEntries(Object.entries(each).map(([kind, write]) => [kind, plainly(write)])),
      )
      const answer = calls.transactWriteItems({ TransactItems: writes, ClientRequestToken })
      if (answer.kind === 'written') return {}
      const reasons = answer.reasons.map(({ code, item }) => ({ Code: code, ...(item && { Item: toWire(item) }) }))
      throw Object.assign(answer.error, { details: { CancellationReasons: reasons } })
    },
  },
})
