import { randomUUID } from 'node:crypto'
import type { Item, Written } from '../../functions/adapters/wire/dynamo-calls.ts'
import type { MemoryDynamo } from './dynamo.ts'
import { checkPlaceholders } from './expressions/check-placeholders.ts'
import { holds } from './expressions/evaluate-condition.ts'
import { parseCondition } from './expressions/parse-condition.ts'
import { fault, invalid } from './fault.ts'
import { type Operation, type Operations, plainly, type Request } from './operation.ts'
import { fromWire, toWire } from './wire-value.ts'

const PLACEHOLDERS = 'ExpressionAttributeNames ExpressionAttributeValues'
const CONDITION = `ConditionExpression ${PLACEHOLDERS} ReturnValues ReturnValuesOnConditionCheckFailure`

export const itemOperations = (dynamo: MemoryDynamo): Operations => {
  const { calls } = dynamo
  return {
    GetItem: {
      takes: 'Key',
      run(request) {
        const found = calls.getItem(plainly(request) as never)
        return found && { Item: toWire(found) }
      },
    },
    PutItem: { takes: `Item ${CONDITION}`, run: request => written(calls.putItem(returning(request, 'ALL_OLD'))) },
    UpdateItem: {
      takes: `Key UpdateExpression ${CONDITION}`,
      run: request => written(calls.updateItem(returning(request, 'ALL_NEW'))),
    },
    DeleteItem: deleteItem(dynamo),
    Query: {
      takes: `IndexName KeyConditionExpression ${PLACEHOLDERS} ScanIndexForward Limit ExclusiveStartKey`,
      run(request) {
        const { items, lastKey } = calls.query(plainly(request) as never)
        return { ...listed(items), ...(lastKey && { LastEvaluatedKey: toWire(lastKey) }) }
      },
    },
    Scan: { takes: `FilterExpression ${PLACEHOLDERS}`, run: request => listed(scan(dynamo, request)) },
  }
}

const deleteItem = ({ calls }: MemoryDynamo): Operation => ({
  takes: `Key ${CONDITION}`,
  run(request) {
    const before = calls.getItem({ TableName: request.TableName, Key: fromWire(request.Key) })
    const { ReturnValues, ...Delete } = returning(request, 'ALL_OLD') as Request
    const answer = calls.transactWriteItems({ TransactItems: [{ Delete }], ClientRequestToken: randomUUID() })
    if (answer.kind === 'cancelled') return written({ kind: 'condition-failed', item: answer.reasons[0]?.item })
    return ReturnValues === 'ALL_OLD' && before ? { Attributes: toWire(before) } : {}
  },
})

/** The request with plain values, if it asks for the values that can be told. */
const returning = (request: Request, able: string): never => {
  if (![undefined, 'NONE', able].includes(request.ReturnValues)) {
    throw invalid(`The DynamoDB in memory returns ${able} or NONE here, and not ${request.ReturnValues}`)
  }
  return plainly(request) as never
}

const written = (answer: Written): object => {
  if (answer.kind === 'written') return answer.item ? { Attributes: toWire(answer.item) } : {}
  const failed = fault('ConditionalCheckFailedException', 'The conditional request failed')
  throw Object.assign(failed, { details: answer.item ? { Item: toWire(answer.item) } : {} })
}

const listed = (items: readonly Item[]) => ({
  Items: items.map(toWire),
  Count: items.length,
  ScannedCount: items.length,
})

/** All of it at once: there is no next page. */
const scan = (dynamo: MemoryDynamo, request: Request): readonly Item[] => {
  const items = [...dynamo.table(request.TableName).items()].map(([, item]) => item)
  if (request.FilterExpression === undefined) return items
  const condition = parseCondition(request.FilterExpression)
  const placeholders = checkPlaceholders(plainly(request), [condition])
  return items.filter(item => holds(condition.tree, item, placeholders))
}
