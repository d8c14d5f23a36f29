import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import { typeOf } from './attribute-value.ts'
import { invalid } from './fault.ts'

/** A value as DynamoDB's JSON spells it: `{ "S": "text" }`. Bytes are in base64. */
export type WireValue = Readonly<Record<string, unknown>>

export type WireItem = Readonly<Record<string, WireValue>>

export const fromWire = (item: WireItem): Item =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, valueFromWire(value)]))

export const toWire = (item: Item): WireItem =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, valueToWire(value)]))

const valueFromWire = (wire: WireValue): unknown => {
  const [type = '', value] = Object.entries(wire)[0] ?? []
  const read = READ[type]
  if (read === undefined)
    throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes')
  return read(value as never)
}

const READ: Readonly<Record<string, (value: never) => unknown>> = {
  S: (text: string) => text,
  N: (text: string) => exactly(text),
  B: (base64: string) => new Uint8Array(Buffer.from(base64, 'base64')),
  BOOL: (value: boolean) => value,
  NULL: () => null,
  L: (list: readonly WireValue[]) => list.map(valueFromWire),
  M: (map: WireItem) => fromWire(map),
  SS: (list: readonly string[]) => new Set(list),
  NS: (list: readonly string[]) => new Set(list.map(exactly)),
  BS: (list: readonly string[]) => new Set(list.map(each => new Uint8Array(Buffer.from(each, 'base64')))),
}

/** DynamoDB has 38 digits, and this engine as many as a double holds. */
const exactly = (text: string): number => {
  const number = Number(text)
  if (Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number))) return number
  throw invalid(`The DynamoDB in memory cannot store the number ${text} exactly`)
}

const valueToWire = (value: unknown): WireValue => {
  const type = typeOf(value)
  return { [type]: WRITE[type](value as never) }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

const WRITE = {
  S: (text: string) => text,
  N: String,
  B: base64,
  BOOL: (value: boolean) => value,
  NULL: () => true,
  L: (list: readonly unknown[]) => list.map(valueToWire),
  M: (map: Item) => toWire(map),
  SS: (set: ReadonlySet<string>) => [...set],
  NS: (set: ReadonlySet<number>) => [...set].map(String),
  BS: (set: ReadonlySet<Uint8Array>) => [...set].map(base64),
} satisfies Record<ReturnType<typeof typeOf>, (value: never) => unknown>
