import { createHmac } from 'node:crypto'
import querystring from 'node:querystring'
import type { Delivery } from '../../domain/delivery.ts'
import type { Source } from '../../domain/source.ts'
import type { Verdict } from '../../domain/verdict.ts'
import type { CheckCode } from '../check-coded.ts'
import { checkTimestamp } from '../check-timestamp.ts'
import { decodeSignature } from '../decode-signature.ts'
import { distrusted, type Found, type Inspection, matchedBy, refused } from '../inspection.ts'
import { locate } from '../locate.ts'
import { sameBytes } from '../match-signature.ts'
import type { Key } from '../read-key.ts'
import type { Content } from '../render-content.ts'
import { signedUrl } from '../signed-url.ts'

/** HMAC-SHA256 of method, path, the headers that were signed, and body. */
export const checkContentful: CheckCode = (scheme, { source, delivery, keys, now }: Inspection): Verdict => {
  const text = locate({ in: 'header', name: 'x-contentful-signature' }, delivery)
  if ('refused' in text) return distrusted(text.refused)
  const signature = decodeSignature('hex', text.value)
  if (signature === undefined) return distrusted('header-malformed')
  const content = contentfulContent(source, delivery)
  if ('refused' in content) return distrusted(content.refused)
  const verdict = matchedBy(keys, key => sameBytes(signature, contentfulHmac(key, content.value)))
  if (verdict.kind === 'distrusted') return verdict
  const ts = { in: 'header', name: TIMESTAMP, unit: 'ms', toleranceSeconds: scheme.toleranceSeconds ?? 0 } as const
  const late = checkTimestamp(ts, delivery, { fields: new Map(), signatures: [] }, now)
  return late ? distrusted(late) : verdict
}

const TIMESTAMP = 'x-contentful-timestamp'
const SIGNED_HEADERS = 'x-contentful-signed-headers'
const MOST_HEADERS = 32

export const contentfulHmac = (key: Key, content: Content): Buffer => {
  const hmac = createHmac('sha256', key)
  for (const part of content) hmac.update(part)
  return hmac.digest()
}

/** The list of headers and the timestamp have to be among those signed, or either could be rewritten. */
export const contentfulContent = (source: Source, delivery: Delivery): Found<Content> => {
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
  const [path = '/', search] = rest.split('?', 2)
  return encodeURI(search ? `${path}?${querystring.escape(search)}` : path)
}
