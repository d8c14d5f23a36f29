import type { Captured, Change } from './change.ts'

/** JSON written differently, each value in it changed, and each covered one as something else that reads the same. */
export const jsonChanges = ({ request, coverage }: Captured, json: unknown): readonly Change[] => {
  const text = Buffer.from(request.body).toString('utf8')
  const change = (name: string, body: string, refused: boolean): Change => ({
    name: `json: ${name}`,
    part: 'body',
    request: { ...request, body },
    refused,
  })
  const bytes = coverage.body === 'bytes'
  const respelled: readonly (readonly [string, string])[] = [
    ['indented', JSON.stringify(json, null, 2)],
    ['keys in another order', JSON.stringify(reversed(json))],
    ['a letter escaped', text.replace(/"([a-z])/i, (_, letter) => `"\\u${code(letter)}`)],
    ['white space inside', text.replace(/[:[{]/, '$& ')],
    ['more in it', added(text)],
  ]
  const known = [...coverage.fields, ...coverage.proof].map(String)
  return [
    ...respelled.filter(([, body]) => body !== text).map(([name, body]) => change(name, body, bytes)),
    ...leavesOf(json).map(({ path, write }) =>
      change(path, JSON.stringify(write()), bytes || known.includes(`json:${path.replace(/\b\d+\b/g, '*')}`)),
    ),
    ...known
      .filter(selector => selector.startsWith('json:'))
      .flatMap(selector => disguises(json, selector.slice('json:'.length).replaceAll('*', '0')))
      .map(([name, body]) => change(name, JSON.stringify(body), true)),
  ]
}

/** A covered field as another type with the same text; one that is left out, with something in it that has no text. */
export const disguises = (json: unknown, path: string): readonly (readonly [string, unknown])[] => {
  const names = path.split('.')
  const value = names.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], json)
  const as = (type: string, changed: unknown) =>
    [`${path} as ${type}`, changedAt(structuredClone(json), names, changed)] as const
  const nested = [as('a list', [value ?? 'injected']), as('an object', { injected: value ?? 1 })]
  if (typeof value === 'number' || typeof value === 'boolean') return [...nested, as('text', String(value))]
  // To a template, a number and its digits are one text.
  return value === 'true' || value === 'false' ? [...nested, as('a boolean', value === 'true')] : nested
}

const code = (letter: string): string => letter.charCodeAt(0).toString(16).padStart(4, '0')

const added = (text: string): string =>
  text.startsWith('{')
    ? text.replace(/\}\s*$/, `${/^\{\s*\}/.test(text) ? '' : ','}"probe":1}`)
    : text.replace(/\]\s*$/, ',{"probe":1}]')

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  )
}

interface Leaf {
  readonly path: string
  /** The whole, with this one value changed. */
  write(): unknown
}

const leavesOf = (json: unknown): readonly Leaf[] => walk(json, [], () => json)

const walk = (value: unknown, path: readonly string[], whole: () => unknown): readonly Leaf[] => {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => walk(inner, [...path, name], whole))
  return [{ path: path.join('.'), write: () => changedAt(structuredClone(whole()), path, other(value)) }]
}

const changedAt = (root: unknown, path: readonly string[], value: unknown): unknown => {
  const [name = '', ...deeper] = path
  const inside = root as Record<string, unknown>
  inside[name] = deeper.length === 0 ? value : changedAt(inside[name] ?? {}, deeper, value)
  return root
}

const other = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value}1`
  return typeof value === 'number' ? value + 1 : value === true ? false : 'x'
}
