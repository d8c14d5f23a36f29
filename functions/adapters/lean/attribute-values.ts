import type { Item } from '../wire/dynamo-calls.ts'

/** A value as DynamoDB's JSON spells it. The types that our tables hold, and no others: handlers have more (document-values.ts). */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  /** Base64. */
  | { readonly B: string }
  | { readonly L: readonly AttributeValue[] }
  | { readonly M: Attributes }

export type Attributes = Readonly<Record<string, AttributeValue>>

/** How items are spelled and read. */
export interface Spelling {
  readonly toAttributes: (item: Item) => Attributes
  readonly fromAttributes: (attributes: Attributes) => Item
}

export const toAttributes = (item: Item): Attributes => {
  const attributes: Record<string, AttributeValue> = {}
  for (const name in item) if (item[name] !== undefined) attributes[name] = toAttribute(item[name])
  return attributes
}

export const fromAttributes = (attributes: Attributes): Item => {
  const item: Item = {}
  for (const name in attributes) item[name] = fromAttribute(attributes[name] as AttributeValue)
  return item
}

const toAttribute = (value: unknown): AttributeValue => {
  switch (typeof value) {
    case 'string':
      return { S: value }
    case 'number':
      return { N: exactly(value) }
    case 'boolean':
      return { BOOL: value }
    case 'object':
      return value === null ? { NULL: true } : ofObject(value)
  }
  throw new TypeError(`a ${typeof value} cannot be stored in DynamoDB`)
}

const ofObject = (value: object): AttributeValue => {
  if (value instanceof Uint8Array) {
    return { B: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') }
  }
  return Array.isArray(value) ? { L: value.map(toAttribute) } : { M: toAttributes(value as Item) }
}

export const exactly = (value: number): string => {
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) return String(value)
  throw new RangeError(`the number ${value} cannot be stored in DynamoDB as it is`)
}

const fromAttribute = (value: AttributeValue): unknown => {
  if ('S' in value) return value.S
  if ('N' in value) return Number(value.N)
  if ('BOOL' in value) return value.BOOL
  if ('B' in value) return new Uint8Array(Buffer.from(value.B, 'base64'))
  if ('M' in value) return fromAttributes(value.M)
  if ('L' in value) return value.L.map(fromAttribute)
  if ('NULL' in value) return null
  throw new TypeError(`DynamoDB returned a type that is not ours: ${Object.keys(value).join()}`)
}
