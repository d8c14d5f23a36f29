import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Delivery } from '../../domain/delivery.ts'
import type { CodeModule } from '../../domain/scheme.ts'
import { decodeSignature } from '../decode-signature.ts'
import { locate } from '../locate.ts'
import { readForm } from '../read-form.ts'
import type { Key } from '../read-key.ts'
import { queryOf, signedUrl } from '../signed-url.ts'
import { distrusted, matchedBy } from '../verdict.ts'

export const file = 'twilio'

export const reads: CodeModule['reads'] = { headers: ['x-twilio-signature'], url: true }

/** HMAC-SHA1 of the URL and the sorted form; for other bodies, of the URL alone, which then carries the body's hash. */
export const check: CodeModule['check'] = (_, { source, delivery, keys }) => {
  const text = locate({ in: 'header', name: HEADER }, delivery)
  if ('refused' in text) return distrusted(text.refused)
  const signature = decodeSignature('base64', text.value)
  if (signature?.length !== SHA1_BYTES) return distrusted('header-malformed')
  const url = signedUrl(source, delivery)
  const parameters = signedParameters(url, delivery)
  if (parameters === undefined) return distrusted('signature-mismatch')
  const contents = withAndWithoutPort(url).map(candidate => candidate + parameters)
  const fits = (key: Key): boolean => contents.some(content => timingSafeEqual(hmacOf(key, content), signature))
  // With or without its port, it is the same URL.
  return matchedBy(keys, fits, contents[0])
}

export const sign: CodeModule['sign'] = ({ source, key, delivery }) => {
  const url = signedUrl(source, delivery)
  const parameters = signedParameters(url, delivery)
  if (parameters === undefined)
    throw new TypeError('the body is neither a form nor the one whose bodySHA256 the URL carries')
  return { headers: { [HEADER]: hmacOf(key, url + parameters).toString('base64') } }
}

export const words = (): string => `HMAC-SHA1 of the URL and the sorted form in \`${HEADER}\``

export const covers: CodeModule['covers'] = () => ({ body: 'form', repeats: true, url: 'whole' })

const HEADER = 'x-twilio-signature'
const SHA1_BYTES = 20

const hmacOf = (key: Key, content: string): Buffer => createHmac('sha1', key).update(content, 'utf8').digest()

/** What follows the URL in the signed text; undefined when the body is not the one the URL vouches for. */
const signedParameters = (url: string, { body }: Delivery): string | undefined => {
  const hash = queryOf(url).get('bodySHA256')
  if (hash !== null) return createHash('sha256').update(body).digest('hex') === hash ? '' : undefined
  const form = readForm(body)
  return form && [...form].sort(byName).map(joinValues).join('')
}

const byName = ([left]: [string, ...unknown[]], [right]: [string, ...unknown[]]): number =>
  left < right ? -1 : left > right ? 1 : 0

/** As Twilio's SDK: a repeated value counts once, several are sorted. */
const joinValues = ([name, values]: [string, readonly string[]]): string =>
  [...new Set(values)]
    .sort()
    .map(value => name + value)
    .join('')

/** Twilio signs some URLs with the default port and some without; its SDK tries both. */
const withAndWithoutPort = (url: string): readonly string[] => {
  const [prefix, scheme = '', user = '', host = '', port] = AUTHORITY.exec(url) ?? []
  if (prefix === undefined) return [url]
  const rest = url.slice(prefix.length)
  const defaultPort = scheme.toLowerCase() === 'https://' ? ':443' : ':80'
  return [scheme + user + host + rest, scheme + user + host + (port ?? defaultPort) + rest]
}

const AUTHORITY = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*@)?(\[[^\]/?#]*\]|[^:/?#]*)(:\d*)?/i
