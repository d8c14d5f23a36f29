import { typeOf } from './attribute-value.ts'
import { canonical } from './canonical.ts'

export const equal = (left: unknown, right: unknown): boolean => {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right
  return typeOf(left) === typeOf(right) && canonical(left) === canonical(right)
}

/** Negative, zero or positive; `undefined` when the two have no order: other types, or types without one. */
export const order = (left: unknown, right: unknown): number | undefined => {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'string' && typeof right === 'string') return orderOfTexts(left, right)
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right)
  return undefined
}

/** By UTF-8 bytes. UTF-16 sorts alike, except where a surrogate meets a character from U+E000 on. */
const orderOfTexts = (left: string, right: string): number => {
  if (left === right) return 0
  if (BEYOND.test(left) && BEYOND.test(right)) return Buffer.compare(Buffer.from(left), Buffer.from(right))
  return left < right ? -1 : 1
}

const BEYOND = /[\ud800-\uffff]/
