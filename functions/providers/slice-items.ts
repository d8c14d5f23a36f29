import { parseJson } from '../domain/parse-json.ts'
import type { Batch } from '../domain/provider.ts'

/**
 * The items of a list as they were written, byte for byte: a number that a double would round stays as it was sent.
 * `undefined` when the text is not JSON, or has no list at that place.
 */
export const sliceItems = (text: string, path: Batch['path']): readonly string[] | undefined => {
  if (parseJson(text) === undefined) return undefined
  const names = path === 'root array' ? [] : path.slice('json:'.length).split('.')
  let at = skipSpace(text, 0)
  for (const name of names) {
    const value = placeOf(text, at, name)
    if (value === undefined) return undefined
    at = value
  }
  return text[at] === '[' ? itemsOf(text, at) : undefined
}

/** A member of an object as it was written. The text is JSON. */
export const sliceMember = (text: string, name: string): string | undefined => {
  const at = placeOf(text, skipSpace(text, 0), name)
  return at === undefined ? undefined : text.slice(at, endOf(text, at))
}

const itemsOf = (text: string, open: number): string[] => {
  const items: string[] = []
  for (let at = skipSpace(text, open + 1); text[at] !== ']'; at = skipSeparator(text, at)) {
    const end = endOf(text, at)
    items.push(text.slice(at, end))
    at = end
  }
  return items
}

/** Where the value of a name begins; the last one counts, as for JSON.parse. */
const placeOf = (text: string, open: number, name: string): number | undefined => {
  if (text[open] !== '{') return undefined
  let found: number | undefined
  for (let at = skipSpace(text, open + 1); text[at] !== '}'; at = skipSeparator(text, at)) {
    const colon = skipSpace(text, endOf(text, at))
    const value = skipSpace(text, colon + 1)
    if (JSON.parse(text.slice(at, endOf(text, at))) === name) found = value
    at = endOf(text, value)
  }
  return found
}

const skipSpace = (text: string, from: number): number => {
  let at = from
  while (' \t\n\r'.includes(text[at] ?? 'x')) at++
  return at
}

/** Past the comma, or at the closing bracket. */
const skipSeparator = (text: string, from: number): number => {
  const at = skipSpace(text, from)
  return text[at] === ',' ? skipSpace(text, at + 1) : at
}

/** Where the value that begins here ends. The text has been parsed: brackets match and strings are closed. */
const endOf = (text: string, from: number): number => {
  let depth = 0
  let at = from
  do {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (depth === 0) return endOfWord(text, at)
    at++
  } while (depth > 0)
  return at
}

const endOfString = (text: string, open: number): number => {
  let at = open + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/** A number, true, false or null. */
const endOfWord = (text: string, from: number): number => {
  let at = from
  while (at < text.length && !',]} \t\n\r'.includes(text[at] ?? '')) at++
  return at
}
