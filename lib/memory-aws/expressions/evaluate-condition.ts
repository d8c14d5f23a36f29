import type { Item } from '../../../functions/adapters/wire/dynamo-calls.ts'
import { typeOf } from '../attribute-value.ts'
import { equal, order } from '../compare.ts'
import { resolve } from './resolve-path.ts'
import type { Comparator, Condition, FunctionName, Operand, Placeholders } from './syntax.ts'

/** Whether a condition holds for an item, or for there being none. */
export const holds = (tree: Condition, item: Item | undefined, given: Placeholders): boolean => {
  const read = (operand: Operand | undefined): unknown => operand && operandValue(operand, item, given)
  switch (tree.kind) {
    case 'and':
      return holds(tree.left, item, given) && holds(tree.right, item, given)
    case 'or':
      return holds(tree.left, item, given) || holds(tree.right, item, given)
    case 'not':
      return !holds(tree.of, item, given)
    case 'compare':
      return COMPARISONS[tree.operator](read(tree.left), read(tree.right))
    case 'between': {
      const value = read(tree.operand)
      return COMPARISONS['>='](value, read(tree.low)) && COMPARISONS['<='](value, read(tree.high))
    }
    case 'in': {
      const value = read(tree.operand)
      return tree.among.some(each => COMPARISONS['='](value, read(each)))
    }
    case 'function':
      return FUNCTIONS[tree.name](read(tree.given[0]), read(tree.given[1]))
  }
}

const operandValue = (operand: Operand, item: Item | undefined, given: Placeholders): unknown => {
  switch (operand.kind) {
    case 'value':
      return given.values[operand.name]
    case 'path':
      return resolve(operand, item, given.names)
    case 'size':
      return sizeOf(resolve(operand.of, item, given.names))
  }
}

/** Numbers, booleans and nulls have none. */
const sizeOf = (value: unknown): number | undefined => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return undefined
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length
  return value instanceof Set ? value.size : Object.keys(value).length
}

type Comparison = (left: unknown, right: unknown) => boolean

/** What is absent is not equal, and neither smaller nor larger. */
const ordered =
  (accepts: (difference: number) => boolean): Comparison =>
  (left, right) => {
    const difference = order(left, right)
    return difference !== undefined && accepts(difference)
  }

const COMPARISONS: Readonly<Record<Comparator, Comparison>> = {
  '=': (left, right) => left !== undefined && equal(left, right),
  '<>': (left, right) => left === undefined || right === undefined || !equal(left, right),
  '<': ordered(difference => difference < 0),
  '<=': ordered(difference => difference <= 0),
  '>': ordered(difference => difference > 0),
  '>=': ordered(difference => difference >= 0),
}

const FUNCTIONS: Readonly<Record<FunctionName, Comparison>> = {
  attribute_exists: value => value !== undefined,
  attribute_not_exists: value => value === undefined,
  attribute_type: (value, type) => value !== undefined && typeOf(value) === type,
  begins_with: (value, beginning) => {
    if (typeof value === 'string') return typeof beginning === 'string' && value.startsWith(beginning)
    if (!(value instanceof Uint8Array && beginning instanceof Uint8Array)) return false
    return Buffer.compare(value.subarray(0, beginning.length), beginning) === 0
  },
  contains: (whole, part) => {
    if (part === undefined) return false
    if (typeof whole === 'string') return typeof part === 'string' && whole.includes(part)
    if (Array.isArray(whole)) return whole.some(each => equal(each, part))
    return whole instanceof Set && [...whole].some(each => equal(each, part))
  },
}
