/**
 * JSON that is the same for the same content, whatever its key order and white space, without the excluded paths
 * (`meta.attempt`; items of a list share their list's path). Throws on what is not JSON or nested beyond the stack.
 */
export const canonicalJson = (text: string, exclude: readonly string[]): string => {
  const excluded = new Set(exclude)

  const write = (node: unknown, path: string): string => {
    if (node instanceof Numeral) return node.source
    if (Array.isArray(node)) return `[${node.map(item => write(item, path)).join(',')}]`
    if (node === null || typeof node !== 'object') return JSON.stringify(node)
    const fields = Object.entries(node)
      .map(([name, child]) => ({ name, child, path: path === '' ? name : `${path}.${name}` }))
      .filter(field => !excluded.has(field.path))
      .sort((left, right) => (left.name < right.name ? -1 : 1))
      .map(field => `${JSON.stringify(field.name)}:${write(field.child, field.path)}`)
    return `{${fields.join(',')}}`
  }

  return write(JSON.parse(text, exactNumbers as (name: string, value: unknown) => unknown), '')
}

/** A number that a double would round: two ids that differ in their last digit must not become one. */
class Numeral {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

const exactNumbers = (_name: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && source !== undefined && !Number.isSafeInteger(value) && String(value) !== source
    ? new Numeral(source)
    : value
