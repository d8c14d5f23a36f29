import type { MemoryDynamo } from './dynamo.ts'
import { fault, invalid } from './fault.ts'
import { itemOperations } from './item-operations.ts'
import type { Operations, Request } from './operation.ts'
import { severalOperations } from './several-operations.ts'
import { tableOperations } from './table-operations.ts'

export interface WireAnswer {
  readonly status: 200 | 400
  readonly body: object
}

/** The memory DynamoDB as a service: what an SDK sends, and what it is answered. */
export const dynamoProtocol = (dynamo: MemoryDynamo): ((operation: string, request: Request) => WireAnswer) => {
  const operations: Operations = {
    ...tableOperations(dynamo),
    ...itemOperations(dynamo),
    ...severalOperations(dynamo),
  }
  return (operation, request) => {
    try {
      const known = Object.hasOwn(operations, operation) ? operations[operation] : undefined
      if (known === undefined) throw fault('UnknownOperationException', `${HERE} has no ${operation}`)
      checkFields(operation, request, known.takes)
      return { status: 200, body: known.run(request) ?? {} }
    } catch (error) {
      const { name, message, details } = error as Error & { readonly details?: object }
      const type = error instanceof TypeError || error instanceof RangeError ? 'ValidationException' : name
      return { status: 400, body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message, ...details } }
    }
  }
}

const HERE = 'The DynamoDB in the process of `npm start`'

/** What only asks for figures, or for what is so anyway. */
const IGNORED = 'TableName ConsistentRead ReturnConsumedCapacity ReturnItemCollectionMetrics'

const checkFields = (operation: string, request: Request, takes: string): void => {
  if (takes === '*') return
  const known = new Set(`${IGNORED} ${takes}`.split(' '))
  const strange = Object.keys(request).filter(name => !known.has(name))
  if (strange.length > 0) throw invalid(`${HERE} has no ${strange.join(' and no ')} in ${operation}`)
}
