import { createHmac } from 'node:crypto'
import querystring from 'node:querystring'
import type { Endpoint } from '../../domain/coded.ts'
import type { Delivery } from '../../domain/delivery.ts'
import type { CodeModule } from '../../domain/scheme.ts'
import { checkTimestamp } from '../check-timestamp.ts'
import { decodeSignature } from '../decode-signature.ts'
import { locate } from '../locate.ts'
import { sameBytes } from '../match-signature.ts'
import type { Key } from '../read-key.ts'
import type { Content } from '../render-content.ts'
import { signedUrl, splitQuery } from '../signed-url.ts'
import { distrusted, type Found, matchedBy, refused } from '../verdict.ts'

export const file = 'contentful'

export const reads: CodeModule['reads'] = { headers: ['x-contentful-signature'], url: true }

/** HMAC-SHA256 of method, path, the headers that were signed, and body. */
export const check: CodeModule['check'] = (scheme, { source, delivery, keys, now }) => {
  const text = locate({ in: 'header', name: 'x-contentful-signature' }, delivery)
  if ('refused' in text) return distrusted(text.refused)
  const signature = decodeSignature('hex', text.value)
  if (signature === undefined) return distrusted('header-malformed')
  const content = signedContent(source, delivery)
  if ('refused' in content) return distrusted(content.refused)
  const verdict = matchedBy(keys, key => sameBytes(signature, hmacOf(key, content.value)))
  if (verdict.kind === 'distrusted') return verdict
  const ts = { in: 'header', name: TIMESTAMP, unit: 'ms', toleranceSeconds: scheme.toleranceSeconds ?? 0 } as const
  const late = checkTimestamp(ts, delivery, { fields: new Map(), signatures: [] }, now)
  return late ? distrusted(late) : verdict
}

export const sign: CodeModule['sign'] = ({ source, key, delivery }) => {
  const headers = {
    'x-contentful-signed-headers': 'x-contentful-signed-headers,x-contentful-timestamp',
    'x-contentful-timestamp': String(delivery.receivedAt),
  }
  const sent = new Map([
    ...delivery.headers,
    ...Object.entries(headers).map(([name, value]) => [name, [value]] as const),
  ])
  const content = signedContent(source, { ...delivery, headers: sent })
  if ('refused' in content) throw new TypeError(`source ${source.name}: nothing to sign, ${content.refused}`)
  return { headers: { ...headers, 'x-contentful-signature': hmacOf(key, content.value).toString('hex') } }
}

export const words = (): string =>
  'HMAC-SHA256 of method, path, named headers and body in `x-contentful-signature` (hex)'

/** And whatever other headers the list names. */
export const covers: CodeModule['covers'] = () => ({
  body: 'bytes',
  headers: [SIGNED_HEADERS, TIMESTAMP],
  url: 'path and query',
  method: true,
  time: 'always',
})

const TIMESTAMP = 'x-contentful-timestamp'
const SIGNED_HEADERS = 'x-contentful-signed-headers'
const MOST_HEADERS = 32

const hmacOf = (key: Key, content: Content): Buffer => {
  const hmac = createHmac('sha256', key)
  for (const part of content) hmac.update(part)
  return hmac.digest()
}

/** The list of headers and the timestamp have to be among those signed, or either could be rewritten. */
const signedContent = (source: Endpoint, delivery: Delivery): Found<Content> => {
  const list = locate({ in: 'header', name: SIGNED_HEADERS }, delivery)
  if ('refused' in list) return list
  const names = list.value.split(',', MOST_HEADERS + 1).map(name => name.trim().toLowerCase())
  if (names.length > MOST_HEADERS || !names.includes(TIMESTAMP) || !names.includes(SIGNED_HEADERS)) {
    return refused('header-malformed')
  }
  const headers: string[] = []
  for (const name of names.sort()) {
    const value = locate({ in: 'header', name }, delivery)
    if ('refused' in value) return value
    headers.push(`${name}:${value.value.trim()}`)
  }
  return {
    value: [`${delivery.method}\n${pathOf(signedUrl(source, delivery))}\n${headers.join(';')}\n`, delivery.body],
  }
}

/** As Contentful's SDK: the query is escaped as one word, and everything once more. */
const pathOf = (url: string): string => {
  const [, rest = '/'] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/i.exec(url) ?? []
  const [path, search] = splitQuery(rest)
  return encodeURI(search ? `${path}?${querystring.escape(search)}` : path)
}
