import { invalid } from '../fault.ts'
import type { Parsed, Placeholders } from './syntax.ts'

interface Given {
  readonly ExpressionAttributeNames?: unknown
  readonly ExpressionAttributeValues?: unknown
}

type Used = Pick<Parsed<unknown>, 'names' | 'values' | 'check'>

/** Every placeholder of the expressions has to be given, and every one that is given has to be used. */
export const checkPlaceholders = (given: Given, expressions: readonly Used[]): Placeholders => {
  const names = (given.ExpressionAttributeNames ?? NONE) as Record<string, string>
  const values = (given.ExpressionAttributeValues ?? NONE) as Record<string, unknown>
  for (const expression of expressions) {
    for (const name of expression.names) if (names[name] === undefined) throw notDefined('name', name)
    for (const value of expression.values) if (values[value] === undefined) throw notDefined('value', value)
  }
  checkUsed('Names', names, name => expressions.some(expression => expression.names.has(name)))
  checkUsed('Values', values, value => expressions.some(expression => expression.values.has(value)))
  const placeholders = { names, values }
  for (const expression of expressions) expression.check(placeholders)
  return placeholders
}

const NONE = {}

const notDefined = (kind: 'name' | 'value', placeholder: string): Error =>
  invalid(`Invalid expression: An expression attribute ${kind} is not defined; attribute ${kind}: ${placeholder}`)

const checkUsed = (
  kind: 'Names' | 'Values',
  given: Readonly<Record<string, unknown>>,
  isUsed: (placeholder: string) => boolean,
): void => {
  let any = false
  for (const placeholder in given) {
    if (given[placeholder] === undefined) continue
    if (!isUsed(placeholder)) {
      throw invalid(`Value provided in ExpressionAttribute${kind} unused in expressions: keys: {${placeholder}}`)
    }
    any = true
  }
  if (!any && given !== NONE) throw invalid(`ExpressionAttribute${kind} must not be empty`)
}
