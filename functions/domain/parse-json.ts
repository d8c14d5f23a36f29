/** `undefined` if it is not JSON. What JSON.parse throws quotes what it could not read: a secret, or a customer's data. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Own properties only: `constructor` is not a field that somebody sent. */
export const ownProperty = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
