import { randomUUID } from 'node:crypto'
import { CreateTableCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb'
import { openAws } from '../../../functions/adapters/sdk/aws.ts'
import { awsClients } from '../../../functions/adapters/sdk/clients.ts'
import type { AwsCalls } from '../../../functions/adapters/wire/aws-calls.ts'
import { type KeySchema, keysOf } from '../../../lib/memory-aws/key-schema.ts'
import type { TableShape } from '../../../lib/memory-aws/table.ts'

/** Patient: on a busy machine a call that is repeated after a timeout would be made twice, and answered as the second. */
export const LOCAL = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  requestHandler: { connectionTimeout: 30_000, requestTimeout: 30_000 },
}

/** The calls of the wire, answered by an engine through the SDK. */
export const callsOf = (endpoint: string): AwsCalls => openAws(awsClients({ ...LOCAL, endpoint }))

/** A new table of this shape. */
export const newTable = async (endpoint: string, shape: TableShape): Promise<string> => {
  const client = awsClients({ ...LOCAL, endpoint }).dynamodb
  const TableName = `table-${randomUUID()}`
  const keys = [shape, ...(shape.indexes ?? [])].flatMap(keysOf)
  const types = new Map(keys.map(({ name, type }) => [name, type]))
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keySchema(shape),
      AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
      GlobalSecondaryIndexes: shape.indexes?.map(index => ({
        IndexName: index.name,
        KeySchema: keySchema(index),
        Projection: { ProjectionType: index.projection },
      })),
    }),
  )
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1 }, { TableName })
  return TableName
}

const keySchema = (schema: KeySchema) =>
  keysOf(schema).map(({ name }, place) => ({
    AttributeName: name,
    KeyType: place === 0 ? ('HASH' as const) : ('RANGE' as const),
  }))
