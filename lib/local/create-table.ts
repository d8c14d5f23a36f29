import type { AttributeDefinition, KeySchemaElement } from '@aws-sdk/client-dynamodb'
import type { LocalCreating } from '../connect/local-clients.ts'
import { ensureTable } from './ensure-table.ts'

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

/** A table of the receiver's own. */
export const createTable = (
  tables: LocalCreating['tables'],
  name: string,
  table: Table,
  deletesExpired: boolean,
): Promise<void> => {
  const index = table.listingIndex
  return ensureTable(tables, {
    TableName: name,
    KeySchema: keySchema(table),
    AttributeDefinitions: attributeDefinitions(index ? [table, index] : [table]),
    ...(index && {
      GlobalSecondaryIndexes: [
        { IndexName: index.name, KeySchema: keySchema(index), Projection: { ProjectionType: index.projection } },
      ],
    }),
    timeToLive: deletesExpired ? table.timeToLive : undefined,
  })
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
