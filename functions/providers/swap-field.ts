/** The field's texts in a JSON body replaced byte by byte, so the rest stays as it was signed or not. */
export const swapField = (body: Uint8Array, field: string, swap: (text: string) => string): Uint8Array => {
  const pattern = new RegExp(`(?<="${field}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)+(?=")`, 'gs')
  const swapped = Buffer.from(body)
    .toString('latin1')
    .replace(pattern, raw => {
      const text = swap(textOf(Buffer.from(raw, 'latin1').toString('utf8')))
      return Buffer.from(JSON.stringify(text).slice(1, -1), 'utf8').toString('latin1')
    })
  return Buffer.from(swapped, 'latin1')
}

/** A stranger's body need not be JSON: what cannot be read is taken as it is. */
const textOf = (raw: string): string => {
  try {
    return JSON.parse(`"${raw}"`)
  } catch {
    return raw
  }
}
