import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'

export interface TableDefinition extends CreateTableCommandInput {
  readonly TableName: string
  /** The attribute that says when an item is deleted, if the engine is to delete any. */
  readonly timeToLive: string | undefined
}

/** Creates a table; one that is there already stays as it is. */
export const ensureTable = async (
  client: DynamoDBClient,
  { timeToLive, ...definition }: TableDefinition,
): Promise<void> => {
  const { TableName } = definition
  try {
    await client.send(new CreateTableCommand({ BillingMode: 'PAY_PER_REQUEST', ...definition }))
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error
  }
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1 }, { TableName })
  if (timeToLive !== undefined) await enableTimeToLive(client, TableName, timeToLive)
}

/** Asked first: enabling what is enabled is an error in DynamoDB. */
const enableTimeToLive = async (client: DynamoDBClient, TableName: string, attribute: string): Promise<void> => {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }))
  if (TimeToLiveDescription?.TimeToLiveStatus === 'ENABLED') return
  await client.send(
    new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { AttributeName: attribute, Enabled: true } }),
  )
}
