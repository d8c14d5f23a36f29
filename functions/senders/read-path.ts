import { isExact } from './exact-json.ts'
import type { Path } from './sender-api.ts'

/** What stands at a path of somebody else's JSON; undefined if there is nothing. */
export const readPath = (value: unknown, path: Path): unknown =>
  path === '' ? value : stepsOf(path).reduce(step, value)

/** A text or a whole number there, as text. */
export const readText = (value: unknown, path: Path): string | undefined => {
  const found = readPath(value, path)
  if (typeof found === 'string') return found === '' ? undefined : found
  if (isExact(found)) return WHOLE.test(found.rawJSON) ? found.rawJSON : undefined
  return Number.isSafeInteger(found) ? String(found) : undefined
}

const WHOLE = /^-?\d+$/

export const readList = (value: unknown, path: Path): readonly unknown[] | undefined => {
  const found = readPath(value, path)
  return Array.isArray(found) ? found : undefined
}

const stepsOf = (path: Path): readonly string[] => path.replaceAll('[', '.[').split('.')

const step = (value: unknown, name: string): unknown => {
  if (typeof value !== 'object' || value === null) return undefined
  const [, field = '', wanted] = PICK.exec(name) ?? []
  if (field !== '') return Array.isArray(value) ? value.find(each => step(each, field) === wanted) : undefined
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

const PICK = /^\[(\w+)=(.*)\]$/
