import type { Item } from '../wire/dynamo-calls.ts'
import { type Attributes, exactly, type AttributeValue as Ours, type Spelling } from './attribute-values.ts'

type AttributeValue =
  | Ours
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly BS: readonly string[] }

/** As the SDK's document client reads and writes items, for handlers that commit to tables of their own. */
export const documentSpelling: Spelling = {
  toAttributes: item => mapped(item, toAttribute) as Attributes,
  fromAttributes: attributes => mapped(attributes, fromAttribute),
}

const mapped = <Value, Made>(values: Readonly<Record<string, Value>>, make: (value: Value) => Made) => {
  const made: Record<string, Made> = {}
  for (const name in values) if (values[name] !== undefined) made[name] = make(values[name])
  return made
}

const toAttribute = (value: unknown): AttributeValue => {
  switch (typeof value) {
    case 'string':
      return { S: value }
    case 'number':
      return { N: exactly(value) }
    case 'bigint':
      return { N: String(value) }
    case 'boolean':
      return { BOOL: value }
    case 'object':
      return value === null ? { NULL: true } : ofObject(value)
  }
  throw new TypeError(`a ${typeof value} cannot be stored in DynamoDB`)
}

const ofObject = (value: object): AttributeValue => {
  if (Array.isArray(value)) return { L: value.map(toAttribute) as Ours[] }
  if (isBinary(value)) return { B: base64(value) }
  if (value instanceof Set) return ofSet([...value])
  if (value instanceof Map) return { M: documentSpelling.toAttributes(Object.fromEntries(value)) }
  // NumberValue of the SDK, for numbers that JavaScript has not.
  if ('toAttributeValue' in value && typeof value.toAttributeValue === 'function') return value.toAttributeValue()
  const prototype = Object.getPrototypeOf(value)
  // Of another realm, too: a test runner has its own.
  if (prototype === null || Object.getPrototypeOf(prototype) === null)
    return { M: documentSpelling.toAttributes(value as Item) }
  throw new TypeError(`a ${value.constructor.name} cannot be stored in DynamoDB`)
}

const ofSet = (values: readonly unknown[]): AttributeValue => {
  if (values.every(isBinary) && values.length > 0) return { BS: values.map(base64) }
  const spelled = values.map(toAttribute)
  if (spelled.length > 0 && spelled.every(each => 'S' in each)) return { SS: spelled.map(({ S }) => S) }
  if (spelled.length > 0 && spelled.every(each => 'N' in each)) return { NS: spelled.map(({ N }) => N) }
  throw new TypeError('a set cannot be stored in DynamoDB if it is empty, or not all strings, all numbers or all bytes')
}

const isBinary = (value: unknown): value is ArrayBufferView | ArrayBuffer =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer

const base64 = (value: ArrayBufferView | ArrayBuffer): string =>
  (ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value)
  ).toString('base64')

const fromAttribute = (value: AttributeValue): unknown => {
  if ('S' in value) return value.S
  if ('N' in value) return toNumber(value.N)
  if ('BOOL' in value) return value.BOOL
  if ('B' in value) return toBytes(value.B)
  if ('M' in value) return documentSpelling.fromAttributes(value.M)
  if ('L' in value) return value.L.map(fromAttribute)
  if ('NULL' in value) return null
  if ('SS' in value) return new Set(value.SS)
  if ('NS' in value) return new Set(value.NS.map(toNumber))
  if ('BS' in value) return new Set(value.BS.map(toBytes))
  throw new TypeError(`DynamoDB returned a type that it did not have: ${Object.keys(value).join()}`)
}

const toNumber = (text: string): number | bigint => {
  const number = Number(text)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? BigInt(text) : number
}

const toBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'))
