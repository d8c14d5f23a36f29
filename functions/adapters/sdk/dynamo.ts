import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { DynamoCalls, Written } from '../wire/dynamo-calls.ts'

export const sdkDynamo = (client: DynamoDBDocumentClient): DynamoCalls => ({
  putItem: put => written(async () => void (await client.send(new PutCommand(put)))),
  updateItem: update => written(async () => (await client.send(new UpdateCommand(update))).Attributes),
  getItem: async get => (await client.send(new GetCommand(get))).Item,

  async transactWriteItems({ ClientRequestToken, TransactItems }) {
    try {
      await client.send(new TransactWriteCommand({ ClientRequestToken, TransactItems: [...TransactItems] }))
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

const written = async (write: () => Promise<Record<string, unknown> | undefined>): Promise<Written> => {
  try {
    return { kind: 'written', item: await write() }
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    return { kind: 'condition-failed', item: error.Item && unmarshall(error.Item) }
  }
}
