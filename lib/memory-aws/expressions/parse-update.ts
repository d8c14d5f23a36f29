import { invalid } from '../fault.ts'
import { checkUpdate } from './check-update.ts'
import { parsePath, parsePlaceholder } from './parse-path.ts'
import { remembering } from './remembering.ts'
import type { Action, Assigned, Parsed } from './syntax.ts'
import { type Tokens, tokenize, unexpected } from './tokenize.ts'

export const parseUpdate = remembering((expression: string): Parsed<readonly Action[]> => {
  const tokens = tokenize(expression)
  const actions: Action[] = []
  const seen = new Set<string>()
  while (tokens.peek() !== '') {
    const section = tokens.next().toUpperCase()
    if (!isSection(section)) unexpected(section)
    else if (seen.has(section))
      throw invalid(`Invalid UpdateExpression: The "${section}" section can only be used once`)
    else actions.push(...parseActions(tokens, SECTIONS[section]))
    seen.add(section)
  }
  return { tree: actions, names: tokens.names, values: tokens.values, check: checkUpdate(actions) }
})

const isSection = (word: string): word is Action['kind'] => Object.hasOwn(SECTIONS, word)

const SECTIONS: Readonly<Record<Action['kind'], (tokens: Tokens) => Action>> = {
  SET: tokens => {
    const path = parsePath(tokens)
    tokens.expect('=')
    return { kind: 'SET', path, to: parseAssigned(tokens) }
  },
  REMOVE: tokens => ({ kind: 'REMOVE', path: parsePath(tokens) }),
  ADD: tokens => ({ kind: 'ADD', path: parsePath(tokens), by: parsePlaceholder(tokens) }),
  DELETE: tokens => ({ kind: 'DELETE', path: parsePath(tokens), by: parsePlaceholder(tokens) }),
}

const parseActions = (tokens: Tokens, parse: (tokens: Tokens) => Action): Action[] => {
  const actions = [parse(tokens)]
  while (tokens.accept(',')) actions.push(parse(tokens))
  return actions
}

const parseAssigned = (tokens: Tokens): Assigned => {
  const left = parseTerm(tokens)
  if (tokens.accept('+')) return { kind: 'sum', sign: 1, left, right: parseTerm(tokens) }
  return tokens.accept('-') ? { kind: 'sum', sign: -1, left, right: parseTerm(tokens) } : left
}

const parseTerm = (tokens: Tokens): Assigned => {
  if (tokens.peek().startsWith(':')) return parsePlaceholder(tokens)
  return tokens.peek(1) === '(' ? parseFunction(tokens) : parsePath(tokens)
}

const parseFunction = (tokens: Tokens): Assigned => {
  const name = tokens.next()
  if (name !== 'if_not_exists' && name !== 'list_append') {
    throw invalid(`Invalid UpdateExpression: Invalid function name; function: ${name}`)
  }
  tokens.expect('(')
  const first = name === 'if_not_exists' ? parsePath(tokens) : parseTerm(tokens)
  tokens.expect(',')
  const second = parseTerm(tokens)
  tokens.expect(')')
  return name === 'if_not_exists' && first.kind === 'path'
    ? { kind: 'if_not_exists', path: first, otherwise: second }
    : { kind: 'list_append', left: first, right: second }
}
