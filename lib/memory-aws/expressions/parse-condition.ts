import { invalid } from '../fault.ts'
import { checkCondition } from './check-condition.ts'
import { parseOperand } from './parse-path.ts'
import { remembering } from './remembering.ts'
import type { Comparator, Condition, FunctionName, Parsed } from './syntax.ts'
import { type Tokens, tokenize, unexpected } from './tokenize.ts'

/** A condition of a write, or of the key of a query. */
export const parseCondition = remembering((expression: string): Parsed<Condition> => {
  const tokens = tokenize(expression)
  const tree = parseOr(tokens)
  if (tokens.peek() !== '') unexpected(tokens.peek())
  return { tree, names: tokens.names, values: tokens.values, check: checkCondition(tree) }
})

const parseOr = (tokens: Tokens): Condition => {
  let left = parseAnd(tokens)
  while (tokens.accept('OR')) left = { kind: 'or', left, right: parseAnd(tokens) }
  return left
}

const parseAnd = (tokens: Tokens): Condition => {
  let left = parseNot(tokens)
  while (tokens.accept('AND')) left = { kind: 'and', left, right: parseNot(tokens) }
  return left
}

const parseNot = (tokens: Tokens): Condition =>
  tokens.accept('NOT') ? { kind: 'not', of: parseNot(tokens) } : parsePart(tokens)

const parsePart = (tokens: Tokens): Condition => {
  if (tokens.accept('(')) return parseInner(tokens)
  const name = tokens.peek()
  if (tokens.peek(1) === '(' && name !== 'size') return parseFunction(tokens)
  return parseComparison(tokens)
}

/** Those that were in parentheses: DynamoDB refuses a second pair around the first. */
const enclosed = new WeakSet<Condition>()

const parseInner = (tokens: Tokens): Condition => {
  const inner = parseOr(tokens)
  tokens.expect(')')
  if (enclosed.has(inner)) throw invalid('Invalid expression: The expression has redundant parentheses;')
  enclosed.add(inner)
  return inner
}

/** How many operands each takes. */
const FUNCTIONS: Readonly<Record<FunctionName, number>> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
}

const parseFunction = (tokens: Tokens): Condition => {
  const name = tokens.next()
  if (!Object.hasOwn(FUNCTIONS, name)) throw invalid(`Invalid expression: Invalid function name; function: ${name}`)
  tokens.expect('(')
  const given = parseOperands(tokens)
  if (given.length !== FUNCTIONS[name as FunctionName]) {
    throw invalid(`Invalid expression: Incorrect number of operands for operator or function; function: ${name}`)
  }
  return { kind: 'function', name: name as FunctionName, given }
}

const parseOperands = (tokens: Tokens) => {
  const given = [parseOperand(tokens)]
  while (tokens.accept(',')) given.push(parseOperand(tokens))
  tokens.expect(')')
  return given
}

const COMPARATORS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='] satisfies Comparator[])

const parseComparison = (tokens: Tokens): Condition => {
  const left = parseOperand(tokens)
  if (tokens.accept('BETWEEN')) {
    const low = parseOperand(tokens)
    tokens.expect('AND')
    return { kind: 'between', operand: left, low, high: parseOperand(tokens) }
  }
  if (tokens.accept('IN')) {
    tokens.expect('(')
    return { kind: 'in', operand: left, among: parseOperands(tokens) }
  }
  const operator = tokens.next()
  if (!COMPARATORS.has(operator)) unexpected(operator)
  return { kind: 'compare', operator: operator as Comparator, left, right: parseOperand(tokens) }
}
