import { type AttributeType, typeOf } from '../attribute-value.ts'
import { order } from '../compare.ts'
import { invalid } from '../fault.ts'
import { namesOf } from './resolve-path.ts'
import type { Condition, FunctionName, Operand, Parsed, Placeholders } from './syntax.ts'

type Check = Parsed<Condition>['check']

/** What DynamoDB refuses before it looks at an item. The tree is walked once; a call runs only the checks that it needs. */
export const checkCondition = (tree: Condition): Check => {
  const checks = checksOf(tree)
  return placeholders => {
    for (const check of checks) check(placeholders)
  }
}

const checksOf = (tree: Condition): readonly Check[] => {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return [...checksOf(tree.left), ...checksOf(tree.right)]
    case 'not':
      return checksOf(tree.of)
    case 'compare':
      return [
        ...distinct(tree.left, [tree.right]),
        ...(tree.operator === '=' || tree.operator === '<>' ? [] : [tree.left, tree.right].flatMap(ordered)),
      ]
    case 'between':
      return [...[tree.operand, tree.low, tree.high].flatMap(ordered), bounds(tree.low, tree.high)]
    case 'in':
      return [...distinct(tree.operand, tree.among), atMostHundred(tree.among)]
    case 'function':
      return FUNCTIONS[tree.name](tree.given)
  }
}

const ORDERED: readonly AttributeType[] = ['S', 'N', 'B']
const TYPES: ReadonlySet<unknown> = new Set(['S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS', 'NS', 'BS'])

const mustBe =
  (operand: Operand | undefined, types: readonly AttributeType[]): Check =>
  ({ values }) => {
    if (operand?.kind !== 'value') return
    const type = typeOf(values[operand.name])
    if (!types.includes(type)) throw wrongOperand(type)
  }

const wrongOperand = (type: string): Error =>
  invalid(`Invalid expression: Incorrect operand type for operator or function; operand type: ${type}`)

const ordered = (operand: Operand): Check[] => (operand.kind === 'value' ? [mustBe(operand, ORDERED)] : [])

const bounds =
  (low: Operand, high: Operand): Check =>
  ({ values }) => {
    if (low.kind !== 'value' || high.kind !== 'value') return
    const difference = order(values[low.name], values[high.name])
    if (difference === undefined) {
      throw invalid('Invalid expression: The BETWEEN operator requires same data type for lower and upper bounds')
    }
    if (difference > 0) {
      throw invalid('Invalid expression: The BETWEEN operator requires upper bound to be greater than lower bound')
    }
  }

const textOf = (operand: Operand, { names }: Placeholders): string => {
  if (operand.kind === 'value') return operand.name
  return operand.kind === 'path'
    ? namesOf(operand, names).join('\u0000')
    : `size ${textOf(operand.of, { names, values: {} })}`
}

/** Operands of another kind are others: a call looks at names only if there are two paths, say. */
const distinct = (first: Operand, others: readonly Operand[]): Check[] => {
  const alike = others.filter(({ kind }) => kind === first.kind)
  if (alike.length === 0) return []
  return [
    placeholders => {
      const text = textOf(first, placeholders)
      if (alike.every(other => textOf(other, placeholders) !== text)) return
      throw invalid('Invalid expression: The first operand must be distinct from the remaining operands')
    },
  ]
}

const atMostHundred =
  (among: readonly Operand[]): Check =>
  () => {
    if (among.length > 100) throw invalid('Invalid expression: The IN operator is provided with too many operands')
  }

const mustBePath =
  (operand: Operand | undefined): Check =>
  () => {
    if (operand?.kind !== 'path') {
      throw invalid('Invalid expression: Operator or function requires a document path')
    }
  }

const FUNCTIONS: Readonly<Record<FunctionName, (given: readonly Operand[]) => Check[]>> = {
  attribute_exists: ([path]) => [mustBePath(path)],
  attribute_not_exists: ([path]) => [mustBePath(path)],
  attribute_type: ([path, type]) => [
    mustBePath(path),
    mustBe(type, ['S']),
    ({ values }) => {
      const name = type?.kind === 'value' ? values[type.name] : undefined
      if (!TYPES.has(name)) throw invalid(`Invalid expression: Invalid attribute type name found; type: ${name}`)
    },
  ],
  begins_with: ([text, beginning]) => [
    ...distinct(text as Operand, [beginning as Operand]),
    mustBe(text, ['S', 'B']),
    mustBe(beginning, ['S', 'B']),
  ],
  contains: ([whole, part]) => distinct(whole as Operand, [part as Operand]),
}
