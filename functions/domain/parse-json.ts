/** `undefined` if it is not JSON. What JSON.parse throws quotes what it could not read: a secret, or a customer's data. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The text of what may be JSON. Throws on what is not UTF-8: no bytes may be replaced on the way. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

/** Own properties only: `constructor` is not a field that somebody sent. */
export const ownProperty = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
