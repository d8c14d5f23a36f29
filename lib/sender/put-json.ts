/** Sets a value at a path (`data.0.id`), in place; what is in the way is made to fit. */
export const putJson = (into: Record<string, unknown>, path: string, value: unknown): void => {
  const [name = '', ...deeper] = path.split('.')
  if (deeper.length === 0) {
    into[name] = value
    return
  }
  const inner = into[name]
  const next = typeof inner === 'object' && inner !== null ? inner : {}
  into[name] = next
  putJson(next as Record<string, unknown>, deeper.join('.'), value)
}

/** The same in a body of JSON. */
export const putInBody = (body: Uint8Array, path: string, value: unknown): Uint8Array => {
  const json = JSON.parse(Buffer.from(body).toString('utf8'))
  putJson(json, path, value)
  return Buffer.from(JSON.stringify(json))
}
