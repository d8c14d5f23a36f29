export interface Token {
  readonly kind: 'key' | 'text' | 'number' | 'word' | 'mark'
  readonly text: string
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g

/**
 * JSON, indented, in coloured pieces; `undefined` when it is none. Only the space between tokens changes: JSON.stringify
 * would round long numbers and drop repeated keys, and an operator must see what was sent.
 */
export const jsonTokens = (text: string): Token[] | undefined => {
  if (!isJson(text)) return undefined
  const found = text.match(TOKEN) ?? []
  const tokens: Token[] = []
  let depth = 0
  for (const [index, piece] of found.entries()) {
    const next = found[index + 1] ?? ''
    if (CLOSING.has(piece)) depth -= 1
    if (CLOSING.has(piece) && !OPENING.has(found[index - 1] ?? '')) tokens.push(newLine(depth))
    tokens.push({ kind: kindOf(piece, next), text: piece })
    if (OPENING.has(piece)) depth += 1
    if (piece === ',' || (OPENING.has(piece) && !CLOSING.has(next))) tokens.push(newLine(depth))
    if (piece === ':') tokens.push({ kind: 'mark', text: ' ' })
  }
  return tokens
}

const OPENING: ReadonlySet<string> = new Set(['{', '['])
const CLOSING: ReadonlySet<string> = new Set(['}', ']'])

const newLine = (depth: number): Token => ({ kind: 'mark', text: `\n${'  '.repeat(depth)}` })

const kindOf = (piece: string, next: string): Token['kind'] => {
  if (piece.startsWith('"')) return next === ':' ? 'key' : 'text'
  if (/^[-\d]/.test(piece)) return 'number'
  return /^[tfn]/.test(piece) ? 'word' : 'mark'
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
