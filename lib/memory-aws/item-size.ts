import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import { invalid } from './fault.ts'

export const MAX_ITEM_BYTES = 400 * 1024

export const checkSize = (item: Item): void => {
  if (sizeOf(item, WIDEST) > MAX_ITEM_BYTES && itemBytes(item) > MAX_ITEM_BYTES) {
    throw invalid('Item size has exceeded the maximum allowed size')
  }
}

/** As DynamoDB counts: names and texts in UTF-8, two digits of a number to a byte, three bytes for a map or a list. */
export const itemBytes = (item: Item): number => sizeOf(item, EXACT)

interface Measure {
  text(text: string): number
  number(value: number): number
}

const EXACT: Measure = {
  text: text => Buffer.byteLength(text),
  number: value => Math.ceil(String(value).replace(/\D/g, '').length / 2) + (value < 0 ? 2 : 1),
}

/** Nothing is longer. Most items are far from the limit, so most need no exact look. */
const WIDEST: Measure = { text: text => text.length * 3, number: () => 21 }

const sizeOf = (item: Item, measure: Measure): number => {
  let bytes = 0
  for (const name in item) bytes += measure.text(name) + valueBytes(item[name], measure)
  return bytes
}

const valueBytes = (value: unknown, measure: Measure): number => {
  if (typeof value === 'string') return measure.text(value)
  if (typeof value === 'number') return measure.number(value)
  if (typeof value !== 'object' || value === null) return 1
  if (value instanceof Uint8Array) return value.length
  if (value instanceof Set) return elementBytes(value, measure)
  if (Array.isArray(value)) return 3 + value.length + elementBytes(value, measure)
  return 3 + Object.keys(value).length + sizeOf(value as Item, measure)
}

const elementBytes = (values: Iterable<unknown>, measure: Measure): number => {
  let bytes = 0
  for (const value of values) bytes += valueBytes(value, measure)
  return bytes
}
