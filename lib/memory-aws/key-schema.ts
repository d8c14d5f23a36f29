import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import { typeOf } from './attribute-value.ts'
import { invalid } from './fault.ts'

export interface KeyShape {
  readonly name: string
  readonly type: 'S' | 'N' | 'B'
}

export interface KeySchema {
  readonly partitionKey: KeyShape
  readonly sortKey?: KeyShape | undefined
}

/** The text that a table files an item under. Throws unless the item has the whole key, of the right types. */
export const keyText = (schema: KeySchema, item: Item): string => {
  const partition = partOf(schema.partitionKey, item, MAX_PARTITION_BYTES)
  if (!schema.sortKey) return partition
  return `${partition.length}:${partition}${partOf(schema.sortKey, item, MAX_SORT_BYTES)}`
}

/** As `keyText`, of what is nothing but a key. */
export const onlyKeyText = (schema: KeySchema, key: Item): string => {
  if (Object.keys(key).length !== keysOf(schema).length) throw NO_MATCH()
  for (const { name, type } of keysOf(schema))
    if (key[name] === undefined || typeOf(key[name]) !== type) throw NO_MATCH()
  return keyText(schema, key)
}

export const keysOf = ({ partitionKey, sortKey }: KeySchema): readonly KeyShape[] =>
  sortKey ? [partitionKey, sortKey] : [partitionKey]

export const partText = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)

const MAX_PARTITION_BYTES = 2_048
const MAX_SORT_BYTES = 1_024

const NO_MATCH = (): Error => invalid('The provided key element does not match the schema')

const partOf = (key: KeyShape, item: Item, maxBytes: number): string => {
  const value = item[key.name]
  if (value === undefined)
    throw invalid(`One or more parameter values were invalid: Missing the key ${key.name} in the item`)
  checkKeyValue(key, value)
  const text = partText(value)
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) {
    throw invalid(`One or more parameter values were invalid: the key ${key.name} is longer than ${maxBytes} bytes`)
  }
  return text
}

/** The key of a table or of an index: of its type, and not empty. */
export const checkKeyValue = ({ name, type }: KeyShape, value: unknown): void => {
  if (typeOf(value) !== type) {
    throw invalid(`One or more parameter values were invalid: Type mismatch for key ${name} expected: ${type}`)
  }
  if (value === '' || (value instanceof Uint8Array && value.length === 0)) {
    throw invalid(`One or more parameter values are not valid: the key ${name} is empty`)
  }
}
