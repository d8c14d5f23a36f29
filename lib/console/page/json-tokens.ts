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
  let depth = 0
  return found.flatMap((piece, index) => {
    const [before, next] = [found[index - 1] ?? '', found[index + 1] ?? '']
    if (CLOSING.has(piece)) depth -= 1
    const above = CLOSING.has(piece) && !OPENING.has(before) ? [newLine(depth)] : []
    if (OPENING.has(piece)) depth += 1
    return [...above, { kind: kindOf(piece, next), text: piece }, ...spaceAfter(piece, next, depth)]
  })
}

const spaceAfter = (piece: string, next: string, depth: number): Token[] => {
  if (piece === ':') return [{ kind: 'mark', text: ' ' }]
  return piece === ',' || (OPENING.has(piece) && !CLOSING.has(next)) ? [newLine(depth)] : []
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
