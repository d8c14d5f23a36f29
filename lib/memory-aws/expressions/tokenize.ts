import { invalid } from '../fault.ts'

/** Reads an expression from left to right. */
export interface Tokens {
  /** The text of the next one; empty at the end. */
  peek(ahead?: number): string
  next(): string
  /** Takes it if it is this word or sign. */
  accept(text: string): boolean
  expect(text: string): void
  /** The `#names` of the expression. */
  readonly names: ReadonlySet<string>
  /** The `:values` of the expression. */
  readonly values: ReadonlySet<string>
}

export const tokenize = (expression: string): Tokens => {
  const tokens = split(expression)
  let at = 0
  const peek = (ahead = 0): string => tokens[at + ahead] ?? ''
  const accept = (text: string): boolean => {
    if (peek().toUpperCase() !== text) return false
    at++
    return true
  }
  return {
    peek,
    next: () => tokens[at++] ?? unexpected(''),
    accept,
    expect: text => {
      if (!accept(text)) unexpected(peek())
    },
    names: new Set(tokens.filter(token => token.startsWith('#'))),
    values: new Set(tokens.filter(token => token.startsWith(':'))),
  }
}

export const unexpected = (token: string): never => {
  throw invalid(`Invalid expression: Syntax error; token: ${token === '' ? '<EOF>' : `"${token}"`}`)
}

const TOKEN = /[#:]\w+|[A-Za-z]\w*|\d+|<>|<=|>=|[=<>(),.[\]+-]/y
const MAX_EXPRESSION_BYTES = 4096

const split = (expression: string): string[] => {
  if (expression.trim() === '') throw invalid('Invalid expression: The expression can not be empty;')
  if (Buffer.byteLength(expression) > MAX_EXPRESSION_BYTES) {
    throw invalid('Invalid expression: Expression size has exceeded the maximum allowed size')
  }
  const tokens: string[] = []
  for (let at = skipSpace(expression, 0); at < expression.length; at = skipSpace(expression, at)) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(expression)?.[0] ?? unexpected(expression.charAt(at))
    tokens.push(token)
    at += token.length
  }
  return tokens
}

const skipSpace = (text: string, from: number): number => {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= 32) at++
  return at
}
