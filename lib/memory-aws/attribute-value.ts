import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'

export type AttributeType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'L' | 'M' | 'SS' | 'NS' | 'BS'

export const typeOf = (value: unknown): AttributeType => {
  switch (typeof value) {
    case 'string':
      return 'S'
    case 'number':
      return 'N'
    case 'boolean':
      return 'BOOL'
    default:
      return value === null ? 'NULL' : typeOfObject(value as object)
  }
}

const typeOfObject = (value: object): AttributeType => {
  if (value instanceof Uint8Array) return 'B'
  if (Array.isArray(value)) return 'L'
  if (!(value instanceof Set)) return 'M'
  const [first] = value
  return `${typeOf(first) as 'S' | 'N' | 'B'}S`
}

/** A copy that nobody outside can reach: what is stored changes by writes alone. */
export const copyIn = (value: unknown): unknown => {
  switch (typeof value) {
    case 'string':
      return value.toWellFormed()
    case 'boolean':
      return value
    case 'number':
      return exactNumber(value)
    case 'bigint':
      return exactNumber(Number(value))
    case 'object':
      return value === null ? null : copyObject(value)
  }
  throw new TypeError(`a ${typeof value} cannot be stored in DynamoDB`)
}

/** Spread: V8 copies that at once. Twenty names that are set one by one become a dictionary, whose copies take fifty times as long. */
export const copyItemIn = (item: object): Item => {
  const copy: Item = { ...item }
  let isWhole = true
  for (const name in copy) {
    if (copy[name] === undefined) isWhole = false
    else copy[name] = copyIn(copy[name])
  }
  return Object.freeze(isWhole ? copy : withoutAbsent(copy))
}

const withoutAbsent = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined))

const copyObject = (value: object): unknown => {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (Array.isArray(value)) return Object.freeze(value.map(copyIn))
  return value instanceof Set ? copySet(value) : copyItemIn(value)
}

const copySet = (set: ReadonlySet<unknown>): Set<unknown> => {
  const copy = new Set([...set].map(copyIn))
  const types = new Set([...copy].map(typeOf))
  const [type] = types
  if (types.size === 1 && type && 'SNB'.includes(type)) return copy
  throw new TypeError('a set in DynamoDB has at least one element, and all are strings, all numbers or all bytes')
}

/** Neither the SDK nor our own client sends a number that a double cannot hold exactly. */
const exactNumber = (value: number): number => {
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) return value + 0
  throw new RangeError(`the number ${value} cannot be stored in DynamoDB as it is`)
}

/** A copy that the caller may change. */
export const copyOut = (item: Item): Item => {
  const copy = { ...item }
  for (const name in copy) if (typeof copy[name] === 'object') copy[name] = copyValueOut(copy[name])
  return copy
}

const copyValueOut = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (Array.isArray(value)) return value.map(copyValueOut)
  return value instanceof Set ? new Set([...value].map(copyValueOut)) : copyOut(value as Item)
}
