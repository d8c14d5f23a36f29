import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import type { KeyShape } from '../memory-aws/key-schema.ts'
import type { TableShape } from '../memory-aws/table.ts'
import type { Place } from './place.ts'

export interface TestTable {
  /** The name of a text attribute, or its name and type. */
  readonly partitionKey: string | KeyShape
  readonly sortKey?: string | KeyShape
  /** What is in it at first. */
  readonly items?: readonly Item[]
}

export type TestTables = Readonly<Record<string, TestTable>>

export const shapesOf = (tables: TestTables): Record<string, TableShape> =>
  Object.fromEntries(
    Object.entries(tables).map(([name, { partitionKey, sortKey }]) => [
      name,
      { partitionKey: keyOf(partitionKey), ...(sortKey !== undefined && { sortKey: keyOf(sortKey) }) },
    ]),
  )

const keyOf = (key: string | KeyShape): KeyShape => (typeof key === 'string' ? { name: key, type: 'S' } : key)

export const fill = ({ engine }: Place, tables: TestTables): void => {
  for (const [TableName, { items = [] }] of Object.entries(tables))
    for (const each of items) engine.dynamo.putItem({ TableName, Item: { ...each } })
}

export const itemsOf = ({ engine }: Place, tables: TestTables, table: string): readonly Item[] => {
  if (!Object.hasOwn(tables, table)) {
    throw new TypeError(`"${table}" is not one of your tables: ${Object.keys(tables).join(', ') || 'there are none'}`)
  }
  return structuredClone([...engine.items(table)])
}
