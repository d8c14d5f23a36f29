import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { deserialize, serialize } from 'node:v8'
import type { Item } from '../../../functions/adapters/wire/dynamo-calls.ts'
import { checkKeyValue, type KeySchema, keysOf, partText } from '../../memory-aws/key-schema.ts'
import { projection } from '../../memory-aws/secondary-index.ts'
import type { Entry, Range } from '../../memory-aws/sorted.ts'
import type { Table, TableShape } from '../../memory-aws/table.ts'

/**
 * A database without a name: what its cache of 16 MB does not hold is in a file that no directory lists, and the kernel takes away
 * when the process ends, however it ends. Nothing is kept, so its one transaction is never committed: that would take 20 us a write.
 */
export const temporaryDatabase = (): DatabaseSync => {
  const database = new DatabaseSync('')
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000; BEGIN')
  return database
}

/** A table of the memory AWS whose items are not in the heap: it has room for as many as the disk, and its indexes are sorted. */
export const sqliteTable = (database: DatabaseSync, name: string, shape: TableShape): Table => {
  const own = sortedItems(database, `table ${name}`, shape)
  const indexes = (shape.indexes ?? []).map(index => {
    const items = sortedItems(database, `index ${index.name} of ${name}`, index)
    return { shape: index, items, ...projection(index, shape) }
  })
  return {
    name,
    shape,
    get: own.get,
    set(key, after) {
      const before = own.get(key)
      own.set(key, after)
      for (const { items, project, isSame } of indexes) {
        if (before && after && isSame(before, after)) continue
        items.set(key, after && project(after))
      }
    },
    items: own.all,
    sorted: (wanted, range) => (indexes.find(each => each.shape === wanted)?.items ?? own).sorted(range),
    checkIndexKeys(item) {
      for (const index of indexes)
        for (const key of keysOf(index.shape)) if (item[key.name] !== undefined) checkKeyValue(key, item[key.name])
    },
  }
}

const sortedItems = (database: DatabaseSync, called: string, { partitionKey, sortKey }: KeySchema) => {
  const table = `"${called.replaceAll('"', '""')}"`
  database.exec(`CREATE TABLE ${table} (key TEXT PRIMARY KEY, partition, sort, item)`)
  database.exec(`CREATE INDEX ${table.slice(0, -1)} sorted" ON ${table} (partition, sort, key)`)
  const get = database.prepare(`SELECT item FROM ${table} WHERE key = ?`)
  const put = database.prepare(
    `INSERT INTO ${table} VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET partition = excluded.partition, sort = excluded.sort, item = excluded.item`,
  )
  const remove = database.prepare(`DELETE FROM ${table} WHERE key = ?`)
  const all = database.prepare(`SELECT key, item FROM ${table}`)
  const page = (way: string, after = '') =>
    database.prepare(
      `SELECT key, item FROM ${table} WHERE partition = :partition AND sort BETWEEN :low AND :high ${after}
       ORDER BY sort ${way}, key ${way}`,
    )
  const pages = {
    '1': { first: page('ASC'), next: page('ASC', 'AND (sort, key) > (:sort, :key)') },
    '-1': { first: page('DESC'), next: page('DESC', 'AND (sort, key) < (:sort, :key)') },
  }
  /** Without a sort key all are at one place, and in the order of their keys. */
  const placeOf = (item: Item): SQLInputValue => (sortKey ? (item[sortKey.name] as SQLInputValue) : 0)

  return {
    get: (key: string): Item | undefined => read(get.get(key)),
    set(key: string, item: Item | undefined): void {
      if (item) put.run(key, partText(item[partitionKey.name]), placeOf(item), serialize(item))
      else remove.run(key)
    },
    all: (): readonly Entry[] => all.all().map(entry),
    *sorted({ partition, low, high, matches, direction, after }: Range): Iterable<Entry> {
      const { first, next } = pages[direction]
      const asked = { partition: partText(partition), low: low ?? LOWEST, high: high ?? HIGHEST } as Asked
      const rows = after ? next.iterate({ ...asked, sort: placeOf(after[1]), key: after[0] }) : first.iterate(asked)
      for (const row of rows) {
        const found = entry(row)
        if (matches(found[1])) yield found
      }
    },
  }
}

type Asked = Readonly<Record<'partition' | 'low' | 'high', SQLInputValue>>

/** SQLite sorts all numbers before all texts, and those before all bytes; a sort key has 1,024 bytes at most. */
const LOWEST = Number.NEGATIVE_INFINITY
const HIGHEST = new Uint8Array(1_025).fill(0xff)

type Row = Readonly<Record<string, unknown>>

const read = (row: Row | undefined): Item | undefined => row && (deserialize(row.item as Uint8Array) as Item)

const entry = (row: Row): Entry => [String(row.key), deserialize(row.item as Uint8Array) as Item]
