/** Of the key itself, without its quotes. */
export const MOST_KEY_CHARACTERS = 255

export type ReadKey =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'missing' }
  /** `why` names what was wrong and what is expected, and quotes nothing. */
  | { readonly kind: 'malformed'; readonly why: string }

/**
 * The `Idempotency-Key` of a request: a structured-field string (RFC 9651), or the same characters without quotes, which is
 * the same key. What the RFC reads as something else (a list, a number, parameters) is refused, not guessed at: behind an HTTP
 * API a comma may also be two headers.
 */
export const readIdempotencyKey = (values: readonly string[] | undefined): ReadKey => {
  const [value, ...others] = values ?? []
  if (value === undefined) return { kind: 'missing' }
  if (others.length > 0) return malformed('it was sent more than once')
  const text = value.replace(/^[ \t]+|[ \t]+$/g, '')
  const read = text.startsWith('"') ? readQuoted(text) : readBare(text)
  if (typeof read !== 'string') return read
  if (read === '') return malformed('it is empty')
  if (read.length > MOST_KEY_CHARACTERS) return malformed(`it is longer than ${MOST_KEY_CHARACTERS} characters`)
  return VISIBLE.test(read)
    ? { kind: 'key', key: read }
    : malformed('it holds a space or a character that is not ASCII')
}

/** For a client: quoted, whatever is in it, so nothing can take it for a number or a list. */
export const writeIdempotencyKey = (key: string): string => `"${key.replace(/["\\]/g, '\\$&')}"`

const EXPECTED = `expected 1 to ${MOST_KEY_CHARACTERS} visible ASCII characters, best in double quotes`

const malformed = (found: string): ReadKey => ({ kind: 'malformed', why: `${found}: ${EXPECTED}` })

const VISIBLE = /^[\x21-\x7e]*$/

/** To the closing quote, and nothing after it: `"a";x=1` has parameters and `"a", "b"` is a list. */
const readQuoted = (text: string): string | ReadKey => {
  const [whole, inner] = QUOTED.exec(text) ?? []
  if (whole === undefined || inner === undefined)
    return malformed('its quotes are not closed, or escape what needs none')
  const rest = text.slice(whole.length)
  if (rest !== '') return malformed('something follows the closing quote, as in a list or with parameters')
  return inner.replace(/\\(["\\])/g, '$1')
}

const QUOTED = /^"((?:[^"\\]|\\["\\])*)"/

const readBare = (text: string): string | ReadKey => {
  const other = OTHER_SYNTAX.find(({ looks }) => looks.test(text))
  return other ? malformed(`without quotes it reads as ${other.as}`) : text
}

const OTHER_SYNTAX: readonly { readonly looks: RegExp; readonly as: string }[] = [
  { looks: /,|^\(/, as: 'a list' },
  { looks: /;/, as: 'a value with parameters' },
  { looks: /"/, as: 'text with a stray quote' },
  { looks: /^-?\d+(\.\d+)?$/, as: 'a number' },
  { looks: /^\?[01]$/, as: 'a boolean' },
  { looks: /^@-?\d+$/, as: 'a date' },
  { looks: /^:[A-Za-z0-9+/=]*:$/, as: 'a byte sequence' },
]
