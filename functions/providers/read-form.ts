export type Form = ReadonlyMap<string, readonly string[]>

/** More than any provider sends; Twilio's have to be parsed before they can be verified. */
const MOST_PARAMETERS = 1_000

/**
 * Strict: invalid UTF-8 or a broken escape is undefined, where URLSearchParams would put U+FFFD and let two different
 * bodies have one signature.
 */
export const readForm = (body: Uint8Array): Form | undefined => {
  try {
    const pairs = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      .decode(body)
      .split('&', MOST_PARAMETERS + 1)
    return pairs.length > MOST_PARAMETERS ? undefined : collect(pairs)
  } catch {
    return undefined
  }
}

const collect = (pairs: readonly string[]): Form => {
  const form = new Map<string, string[]>()
  for (const pair of pairs) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = at < 0 ? '' : decode(pair.slice(at + 1))
    const values = form.get(name)
    if (values) values.push(value)
    else form.set(name, [value])
  }
  return form
}

const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))
