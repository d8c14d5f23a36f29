import type { Source } from '../../functions/domain/source.ts'
import { SECRET_NAME } from '../../functions/providers/secret-name.ts'

const REDACTED = '[REDACTED]'

/** A header as it may be shown: what proves who the sender is stays hidden. */
export const redactHeader = (source: Source | undefined, name: string, value: string): string =>
  SECRET_NAME.test(name) || schemeHeaders(source?.scheme).has(name.toLowerCase()) ? REDACTED : value

/** Some senders put their secret into the query. */
export const redactUrl = (url: string): string => {
  const [path = '', query] = url.split('?', 2)
  return query === undefined ? path : `${path}?${REDACTED}`
}

/** Every header that a scheme names, wherever in its row. */
const schemeHeaders = (part: unknown, found = new Set<string>()): ReadonlySet<string> => {
  if (typeof part !== 'object' || part === null) return found
  for (const [name, value] of Object.entries(part)) {
    if (typeof value === 'string' && (name === 'header' || name === 'name')) found.add(value.toLowerCase())
    schemeHeaders(value, found)
  }
  return found
}
