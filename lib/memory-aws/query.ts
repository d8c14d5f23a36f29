import type { Item, Queried, Query } from '../../functions/adapters/wire/dynamo-calls.ts'
import { copyItemIn, copyOut } from './attribute-value.ts'
import { checkPlaceholders } from './expressions/check-placeholders.ts'
import { holds } from './expressions/evaluate-condition.ts'
import { rangeAsked } from './expressions/key-condition.ts'
import { parseCondition } from './expressions/parse-condition.ts'
import { invalid } from './fault.ts'
import { itemBytes } from './item-size.ts'
import { type KeySchema, keysOf, keyText, partText } from './key-schema.ts'
import type { IndexShape } from './secondary-index.ts'
import type { Entry } from './sorted.ts'
import type { Table } from './table.ts'

const PAGE_BYTES = 1024 * 1024

/** One page of a partition, of the table or of one of its indexes. */
export const queryTable = (table: Table, query: Query): Queried => {
  const index = query.IndexName === undefined ? undefined : indexOf(table, query.IndexName)
  const schema: KeySchema = index ?? table.shape
  if (query.Limit !== undefined && query.Limit < 1) throw invalid('Limit has to be at least 1')
  const condition = parseCondition(query.KeyConditionExpression)
  const placeholders = checkPlaceholders(query, [condition])
  const asked = rangeAsked(condition.tree, schema, placeholders)
  const found = table.sorted(index, {
    ...asked,
    matches: item => holds(condition.tree, item, placeholders),
    direction: query.ScanIndexForward === false ? -1 : 1,
    after: query.ExclusiveStartKey && startKey(table, schema, query.ExclusiveStartKey, asked.partition),
  })
  // Without a sort key a partition of a table is one item, and nothing can follow it.
  const alone = !index && !schema.sortKey
  return pageOf(found, table, schema, alone ? Number.POSITIVE_INFINITY : (query.Limit ?? Number.POSITIVE_INFINITY))
}

const indexOf = ({ shape }: Table, wanted: string): IndexShape => {
  const found = shape.indexes?.find(({ name }) => name === wanted)
  if (!found) throw invalid(`The table does not have the specified index: ${wanted}`)
  return found
}

/** Ends at the limit, or with the item that fills a megabyte: then nobody has looked whether more follow. */
const pageOf = (entries: Iterable<Entry>, table: Table, schema: KeySchema, limit: number): Queried => {
  const items: Item[] = []
  let bytes = 0
  for (const [, item] of entries) {
    items.push(copyOut(item))
    bytes += itemBytes(item)
    if (items.length < limit && bytes < PAGE_BYTES) continue
    return { items, lastKey: keyOnly(item, [table.shape, schema]) }
  }
  return { items, lastKey: undefined }
}

const keyOnly = (item: Item, schemas: readonly KeySchema[]): Item =>
  copyOut(Object.fromEntries(schemas.flatMap(keysOf).map(({ name }) => [name, item[name]])))

const startKey = (table: Table, schema: KeySchema, given: Item, partition: unknown): Entry => {
  const start = copyItemIn(given)
  const names = new Set([table.shape, schema].flatMap(keysOf).map(({ name }) => name))
  if (Object.keys(start).length !== names.size) throw invalid('The provided starting key is invalid')
  keyText(schema, start)
  if (partText(start[schema.partitionKey.name]) !== partText(partition)) {
    throw invalid('The provided starting key is outside query boundaries based on provided conditions')
  }
  return [keyText(table.shape, start), start]
}
