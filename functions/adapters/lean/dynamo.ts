import type { DynamoCalls, Item, PutItem, Written } from '../wire/dynamo-calls.ts'
import { type Attributes, fromAttributes, toAttributes } from './attribute-values.ts'
import type { Caller } from './caller.ts'
import { detailsOf, isFault, jsonCalls } from './json-protocol.ts'

export const leanDynamo = (caller: Caller): DynamoCalls => {
  const call = jsonCalls(caller, 'DynamoDB_20120810', '1.0')

  const write = async (operation: string, input: object): Promise<Written> => {
    try {
      const { Attributes } = await call<{ Attributes?: Attributes }>(operation, input)
      return { kind: 'written', item: plain(Attributes) }
    } catch (error) {
      if (!isFault(error, 'ConditionalCheckFailedException')) throw error
      return { kind: 'condition-failed', item: plain(detailsOf<{ Item: Attributes }>(error).Item) }
    }
  }

  return {
    putItem: put => write('PutItem', putInput(put)),
    updateItem: ({ Key, ExpressionAttributeValues: values, ...rest }) =>
      write('UpdateItem', {
        ...rest,
        Key: toAttributes(Key),
        ...(values && { ExpressionAttributeValues: toAttributes(values) }),
      }),

    async getItem({ Key, ...rest }) {
      const { Item } = await call<{ Item?: Attributes }>('GetItem', { ...rest, Key: toAttributes(Key) })
      return plain(Item)
    },

    async transactWriteItems({ ClientRequestToken, TransactItems }) {
      try {
        await call('TransactWriteItems', {
          ClientRequestToken,
          TransactItems: TransactItems.map(({ Put }) => ({ Put: putInput(Put) })),
        })
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

interface Reason {
  readonly Code?: string
  readonly Item?: Attributes
}

const plain = (attributes: Attributes | undefined): Item | undefined => attributes && fromAttributes(attributes)

const putInput = ({ Item, ExpressionAttributeValues: values, ...rest }: PutItem) => ({
  ...rest,
  Item: toAttributes(Item),
  ...(values && { ExpressionAttributeValues: toAttributes(values) }),
})
