import { EVENTS_TABLE } from '../../functions/contract/tables.ts'

/** An item as DynamoDB's JSON spells it. */
export type WireItem = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface Write {
  readonly before?: WireItem | undefined
  /** The same as before where the condition refused it. */
  readonly after: WireItem
}

/**
 * What a write is billed. The larger of the item before and after, in whole KB; a refused one costs as much as the item it met;
 * the listing index costs one more where the write puts the item there, or moves it. Engines do not report units of refused
 * writes, so this is a model: its cases are in test/unit/cost.
 */
export const writeUnits = ({ before, after }: Write): number => {
  const table = Math.max(1, ...[before, after].map(item => Math.ceil(itemBytes(item ?? {}) / UNIT_BYTES)))
  return table + indexUnits(before, after)
}

const UNIT_BYTES = 1_024

const { partitionKey, sortKey } = EVENTS_TABLE.listingIndex

const indexUnits = (before: WireItem | undefined, after: WireItem): number => {
  const place = (item: WireItem | undefined) => item && JSON.stringify([item[partitionKey.name], item[sortKey.name]])
  const indexed = (item: WireItem | undefined) => item?.[partitionKey.name] !== undefined
  if (place(before) === place(after) || !indexed(after)) return 0
  // Moved: deleted in the old place, put in the new.
  return indexed(before) ? 2 : 1
}

/** Names and strings in UTF-8; numbers a byte for two digits and one more; binaries decoded. */
export const itemBytes = (item: WireItem): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0)

const valueBytes = (value: Readonly<Record<string, unknown>>): number => {
  const [type, held] = Object.entries(value)[0] ?? []
  switch (type) {
    case 'S':
      return Buffer.byteLength(String(held))
    case 'N':
      return Math.ceil(String(held).replace(/^-?0*|[.]|0*$/g, '').length / 2) + 1
    case 'B':
      return Buffer.byteLength(String(held), 'base64')
    case 'BOOL':
    case 'NULL':
      return 1
    case 'M':
      return 3 + itemBytes(held as WireItem)
    case 'L':
      return 3 + (held as Readonly<Record<string, unknown>>[]).reduce((sum, each) => sum + 1 + valueBytes(each), 0)
  }
  throw new TypeError(`the size of ${type} is not known`)
}
