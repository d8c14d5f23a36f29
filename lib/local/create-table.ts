import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'

interface Key {
  readonly name: string
  readonly type: 'S' | 'N' | 'B'
}

interface Keys {
  readonly partitionKey: Key
  readonly sortKey?: Key
}

interface Table extends Keys {
  readonly timeToLive: string
  readonly listingIndex?: Keys & { readonly name: string; readonly projection: 'KEYS_ONLY' }
}

export const createTable = async (
  client: DynamoDBClient,
  name: string,
  table: Table,
  deletesExpired: boolean,
): Promise<void> => {
  const index = table.listingIndex
  try {
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keySchema(table),
        AttributeDefinitions: attributeDefinitions(index ? [table, index] : [table]),
        ...(index && {
          GlobalSecondaryIndexes: [
            { IndexName: index.name, KeySchema: keySchema(index), Projection: { ProjectionType: index.projection } },
          ],
        }),
      }),
    )
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error
  }
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1 }, { TableName: name })
  if (deletesExpired) await enableTimeToLive(client, name, table.timeToLive)
}

const keySchema = (keys: Keys): KeySchemaElement[] => [
  { AttributeName: keys.partitionKey.name, KeyType: 'HASH' },
  ...(keys.sortKey ? [{ AttributeName: keys.sortKey.name, KeyType: 'RANGE' as const }] : []),
]

const attributeDefinitions = (all: readonly Keys[]): AttributeDefinition[] => {
  const keys = all.flatMap(({ partitionKey, sortKey }) => (sortKey ? [partitionKey, sortKey] : [partitionKey]))
  const types = new Map(keys.map(key => [key.name, key.type]))
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }))
}

/** Asked first: enabling what is enabled is an error in DynamoDB. */
const enableTimeToLive = async (client: DynamoDBClient, name: string, attribute: string): Promise<void> => {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }))
  if (TimeToLiveDescription?.TimeToLiveStatus === 'ENABLED') return
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: name,
      TimeToLiveSpecification: { AttributeName: attribute, Enabled: true },
    }),
  )
}
