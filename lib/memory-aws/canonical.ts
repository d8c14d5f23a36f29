/** One text for one value, whatever the order of its attributes or of the elements of a set. */
export const canonical = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  return known.get(value) ?? remember(value)
}

/** Only of frozen values: they stay what they are. */
const known = new WeakMap<object, string>()

const remember = (value: object): string => {
  const text = ofObject(value)
  if (Object.isFrozen(value)) known.set(value, text)
  return text
}

const ofObject = (value: object): string => {
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('base64')}`
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (value instanceof Set) return `<${[...value].map(canonical).sort().join()}>`
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  return `{${entries
    .filter(([, each]) => each !== undefined)
    .map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`)
    .sort()
    .join()}}`
}
