import { invalid } from '../fault.ts'
import { isReserved } from './reserved-words.ts'
import type { Operand, Path, Placeholder } from './syntax.ts'
import { type Tokens, unexpected } from './tokenize.ts'

export const parsePath = (tokens: Tokens): Path => {
  const steps: (string | number)[] = [parseName(tokens)]
  for (;;) {
    if (tokens.accept('.')) steps.push(parseName(tokens))
    else if (tokens.accept('[')) {
      steps.push(parsePlace(tokens))
      tokens.expect(']')
    } else return { kind: 'path', steps }
  }
}

export const parsePlaceholder = (tokens: Tokens): Placeholder => {
  const name = tokens.next()
  return name.startsWith(':') ? { kind: 'value', name } : unexpected(name)
}

export const parseOperand = (tokens: Tokens): Operand => {
  if (tokens.peek().startsWith(':')) return parsePlaceholder(tokens)
  if (tokens.peek() !== 'size' || tokens.peek(1) !== '(') return parsePath(tokens)
  tokens.next()
  tokens.expect('(')
  const of = parsePath(tokens)
  tokens.expect(')')
  return { kind: 'size', of }
}

const parseName = (tokens: Tokens): string => {
  const name = tokens.next()
  if (!/^[#A-Za-z]/.test(name)) unexpected(name)
  if (isReserved(name)) {
    throw invalid(`Invalid expression: Attribute name is a reserved keyword; reserved keyword: ${name}`)
  }
  return name
}

const parsePlace = (tokens: Tokens): number => {
  const place = tokens.next()
  return /^\d+$/.test(place) ? Number(place) : unexpected(place)
}
