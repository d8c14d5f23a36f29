import { invalid } from './fault.ts'
import type { KeySchema, KeyShape } from './key-schema.ts'
import type { TableShape } from './table.ts'

/** What CreateTable is asked for, as far as it matters here. */
export interface TableDescription {
  readonly TableName: string
  readonly KeySchema: readonly KeyElement[]
  readonly AttributeDefinitions: readonly { readonly AttributeName: string; readonly AttributeType: KeyShape['type'] }[]
  readonly GlobalSecondaryIndexes?: readonly IndexDescription[]
  readonly LocalSecondaryIndexes?: readonly IndexDescription[]
}

interface KeyElement {
  readonly AttributeName: string
  readonly KeyType: 'HASH' | 'RANGE'
}

interface IndexDescription {
  readonly IndexName: string
  readonly KeySchema: readonly KeyElement[]
  readonly Projection?: { readonly ProjectionType?: string }
}

/** The shape of the table. An index with some attributes has them all here: it tells more than it would in AWS, never less. */
export const shapeOf = (description: TableDescription): TableShape => {
  const { GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = description
  const types = new Map(
    description.AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
  )
  const indexes = [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map(({ IndexName, KeySchema, Projection }) => ({
    name: IndexName,
    ...keysOf(KeySchema, types),
    projection: Projection?.ProjectionType === 'KEYS_ONLY' ? ('KEYS_ONLY' as const) : ('ALL' as const),
  }))
  return { ...keysOf(description.KeySchema, types), indexes }
}

const keysOf = (schema: readonly KeyElement[], types: ReadonlyMap<string, KeyShape['type']>): KeySchema => {
  const keyOf = (kind: KeyElement['KeyType']): KeyShape | undefined => {
    const name = schema.find(({ KeyType }) => KeyType === kind)?.AttributeName
    const type = types.get(name ?? '')
    return name !== undefined && type ? { name, type } : undefined
  }
  const partitionKey = keyOf('HASH')
  if (!partitionKey) throw invalid('A table or an index needs a HASH key that is among the AttributeDefinitions')
  return { partitionKey, sortKey: keyOf('RANGE') }
}
