import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { ReceiverCalls } from '../wire/aws-calls.ts'
import type { DynamoCalls, Item, Written } from '../wire/dynamo-calls.ts'

export const sdkDynamo = (client: DynamoDBDocumentClient): ReceiverCalls['dynamo'] => ({
  putItem: put => written(async () => (await client.send(new PutCommand(put))).Attributes),
  updateItem: update => written(async () => (await client.send(new UpdateCommand(update))).Attributes),
  getItem: async get => (await client.send(new GetCommand(get))).Item,

  async transactWriteItems({ ClientRequestToken, TransactItems }) {
    const writes = [...TransactItems] as TransactWriteCommandInput['TransactItems']
    try {
      await client.send(new TransactWriteCommand({ ClientRequestToken, TransactItems: writes }))
      return { kind: 'written' }
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error
      const reasons = (error.CancellationReasons ?? []).map(({ Code, Item }) => ({
        code: Code ?? 'None',
        item: Item && unmarshall(Item),
      }))
      return { kind: 'cancelled', reasons, error }
    }
  },
})

/** What only those call who look at many items. */
export const sdkDynamoReads = (client: DynamoDBDocumentClient): Pick<DynamoCalls, 'batchGetItem' | 'query'> => ({
  async batchGetItem({ TableName, Keys, ConsistentRead }) {
    const RequestItems = { [TableName]: { Keys: [...Keys], ConsistentRead } }
    const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand({ RequestItems }))
    return { items: Responses?.[TableName] ?? [], unprocessed: UnprocessedKeys?.[TableName]?.Keys ?? [] }
  },

  async query(query) {
    const { Items = [], LastEvaluatedKey } = await client.send(new QueryCommand(query))
    return { items: Items, lastKey: LastEvaluatedKey }
  },
})

const written = async (write: () => Promise<Item | undefined>): Promise<Written> => {
  try {
    return { kind: 'written', item: await write() }
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    return { kind: 'condition-failed', item: error.Item && unmarshall(error.Item) }
  }
}
