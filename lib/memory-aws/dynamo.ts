import type { BatchGet, BatchGot, DynamoCalls, Item, Written } from '../../functions/adapters/wire/dynamo-calls.ts'
import { copyOut } from './attribute-value.ts'
import { fault, invalid } from './fault.ts'
import { itemBytes } from './item-size.ts'
import { onlyKeyText } from './key-schema.ts'
import { type PreparedWrite, prepareWrite } from './prepare-write.ts'
import { queryTable } from './query.ts'
import { type Stateful, type Synchronous, together } from './synchronous.ts'
import { memoryTable, type Table, type TableShape, type TableWorld } from './table.ts'
import { transactions } from './transact.ts'

export interface DynamoWorld extends TableWorld {
  /** How many keys of a batch are answered; the others come back unprocessed. */
  batchServes(keys: number): number
}

export interface MemoryDynamo extends Stateful {
  readonly calls: Synchronous<DynamoCalls>
  table(name: string): Table
  /** A table that was not there from the beginning. It is not in a snapshot that was taken before. */
  create(name: string, shape: TableShape): void
}

export const memoryDynamo = (
  shapes: Readonly<Record<string, TableShape>>,
  world: DynamoWorld,
  newTable: (name: string, shape: TableShape) => Table = (name, shape) => memoryTable(name, shape, world),
): MemoryDynamo => {
  const first = Object.entries(shapes).map(([name, shape]) => [name, memoryTable(name, shape, world)] as const)
  const tables = new Map<unknown, Table>(first)
  const tableOf = (name: unknown): Table => {
    const table = tables.get(name)
    if (!table) throw fault('ResourceNotFoundException', `Cannot do operations on a non-existent table: ${name}`)
    return table
  }
  const transacted = transactions(tableOf, world.now)
  return {
    table: tableOf,
    create: (name, shape) => void tables.set(name, newTable(name, shape)),
    calls: {
      putItem: put => {
        const prepared = prepareWrite('Put', tableOf(put.TableName), put)()
        return write(prepared, before => (put.ReturnValues === 'ALL_OLD' ? before : undefined))
      },
      updateItem: update => {
        const prepared = prepareWrite('Update', tableOf(update.TableName), update)()
        return write(prepared, (_before, after) => (update.ReturnValues === 'ALL_NEW' ? after : undefined))
      },
      getItem: ({ TableName, Key }) => getItem(tableOf(TableName), Key),
      batchGetItem: get => batchGet(tableOf(get.TableName), get, world),
      query: query => queryTable(tableOf(query.TableName), query),
      transactWriteItems: transacted.run,
    },
    ...together({
      ...Object.fromEntries(first.map(([name, table]) => [`table ${name}`, table])),
      tokens: transacted,
    }),
  }
}

type Told = (before: Item | undefined, after: Item | undefined) => Item | undefined

const write = ({ table, key, tells, allows, after: afterOf }: PreparedWrite, told: Told): Written => {
  const before = table.get(key)
  if (!allows(before)) return { kind: 'condition-failed', item: tells && before ? copyOut(before) : undefined }
  const after = afterOf(before)
  table.set(key, after)
  const item = told(before, after)
  return { kind: 'written', item: item && copyOut(item) }
}

const getItem = (table: Table, key: Item): Item | undefined => {
  const found = table.get(onlyKeyText(table.shape, key))
  return found && copyOut(found)
}

const MOST_KEYS = 100
const BATCH_BYTES = 16 * 1024 * 1024

const batchGet = (table: Table, { Keys }: BatchGet, world: DynamoWorld): BatchGot => {
  if (Keys.length < 1 || Keys.length > MOST_KEYS) throw invalid(`A batch has 1 to ${MOST_KEYS} keys`)
  const texts = Keys.map(key => onlyKeyText(table.shape, key))
  if (new Set(texts).size < texts.length) throw invalid('Provided list of item keys contains duplicates')
  const items: Item[] = []
  const serves = world.batchServes(Keys.length)
  let bytes = 0
  for (const [place, text] of texts.entries()) {
    if (place >= serves || bytes > BATCH_BYTES) return { items, unprocessed: Keys.slice(place).map(copyOut) }
    const found = table.get(text)
    if (!found) continue
    bytes += itemBytes(found)
    items.push(copyOut(found))
  }
  return { items, unprocessed: [] }
}
