import type { ReceiverCalls } from '../wire/aws-calls.ts'
import type { DynamoCalls, Item, Written } from '../wire/dynamo-calls.ts'
import { type Attributes, fromAttributes, type Spelling, toAttributes } from './attribute-values.ts'
import type { Caller } from './caller.ts'
import { detailsOf, isFault, jsonCalls } from './json-protocol.ts'

type Call = ReturnType<typeof jsonCalls>

const dynamoCall = (caller: Caller): Call => jsonCalls(caller, 'DynamoDB_20120810', '1.0')

/** What receive and publish call. */
export const leanDynamo = (caller: Caller, spelling: Spelling = OURS): ReceiverCalls['dynamo'] => {
  const call = dynamoCall(caller)
  const { plain, inAttributes } = spelled(spelling)
  const writeInAttributes = (write: object): object =>
    Object.fromEntries(Object.entries(write).map(([kind, input]) => [kind, inAttributes(input)]))

  const write = async (operation: string, input: object): Promise<Written> => {
    const { refused, Item, Attributes } = await call<WriteAnswer>(operation, inAttributes(input), CONDITIONAL)
    return refused ? { kind: 'condition-failed', item: plain(Item) } : { kind: 'written', item: plain(Attributes) }
  }

  return {
    putItem: put => write('PutItem', put),
    updateItem: update => write('UpdateItem', update),

    async getItem(get) {
      const { Item } = await call<{ Item?: Attributes }>('GetItem', inAttributes(get))
      return plain(Item)
    },

    async transactWriteItems({ ClientRequestToken, TransactItems }) {
      try {
        await call('TransactWriteItems', { ClientRequestToken, TransactItems: TransactItems.map(writeInAttributes) })
        return { kind: 'written' }
      } catch (error) {
        if (!isFault(error, 'TransactionCanceledException')) throw error
        const { CancellationReasons = [] } = detailsOf<{ CancellationReasons: Reason[] }>(error)
        const reasons = CancellationReasons.map(({ Code = 'None', Item }) => ({ code: Code, item: plain(Item) }))
        return { kind: 'cancelled', reasons, error }
      }
    },
  }
}

/** What nobody calls who only receives. */
export const leanDynamoReads = (caller: Caller): Pick<DynamoCalls, 'batchGetItem' | 'query'> => {
  const call = dynamoCall(caller)
  const { plain, inAttributes } = spelled(OURS)
  return {
    async batchGetItem({ TableName, Keys, ConsistentRead }) {
      const RequestItems = { [TableName]: { Keys: Keys.map(toAttributes), ConsistentRead } }
      const { Responses = {}, UnprocessedKeys = {} } = await call<BatchAnswer>('BatchGetItem', { RequestItems })
      return {
        items: (Responses[TableName] ?? []).map(fromAttributes),
        unprocessed: (UnprocessedKeys[TableName]?.Keys ?? []).map(fromAttributes),
      }
    },

    async query({ ExclusiveStartKey, ...query }) {
      const { Items = [], LastEvaluatedKey } = await call<QueryAnswer>('Query', {
        ...inAttributes(query),
        ...(ExclusiveStartKey && { ExclusiveStartKey: toAttributes(ExclusiveStartKey) }),
      })
      return { items: Items.map(fromAttributes), lastKey: plain(LastEvaluatedKey) }
    },
  }
}

const CONDITIONAL = { expects: 'ConditionalCheckFailedException' } as const

interface WriteAnswer {
  readonly Attributes?: Attributes
  /** What stood in the way. */
  readonly Item?: Attributes
}

interface Reason {
  readonly Code?: string
  readonly Item?: Attributes
}

interface BatchAnswer {
  readonly Responses?: Readonly<Record<string, readonly Attributes[]>>
  readonly UnprocessedKeys?: Readonly<Record<string, { readonly Keys: readonly Attributes[] }>>
}

interface QueryAnswer {
  readonly Items?: readonly Attributes[]
  readonly LastEvaluatedKey?: Attributes
}

const OURS: Spelling = { toAttributes, fromAttributes }

/** The fields of a call that hold values of ours. */
const HOLD_VALUES = ['Item', 'Key', 'ExpressionAttributeValues'] as const

const spelled = (spelling: Spelling) => ({
  plain: (attributes: Attributes | undefined): Item | undefined => attributes && spelling.fromAttributes(attributes),

  inAttributes: (input: object): Readonly<Record<string, unknown>> => {
    const said: Record<string, unknown> = { ...input }
    for (const name of HOLD_VALUES) if (said[name] !== undefined) said[name] = spelling.toAttributes(said[name] as Item)
    return said
  },
})
