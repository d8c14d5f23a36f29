import { createHash, timingSafeEqual } from 'node:crypto'
import type { Inspection } from '../domain/coded.ts'
import type { TokenScheme } from '../domain/scheme.ts'
import type { Verdict } from '../domain/verdict.ts'
import { decodeSignature } from './decode-signature.ts'
import { locate } from './locate.ts'
import type { Key } from './read-key.ts'
import { distrusted, matchedBy } from './verdict.ts'

/** The secret itself, sent along. */
export const checkToken = ({ token }: TokenScheme, { delivery, keys }: Inspection): Verdict => {
  const { prefix = '', prefixOptional } = token
  const text = locate(token, delivery)
  if ('refused' in text) return distrusted(text.refused)
  const prefixed = text.value.startsWith(prefix)
  if (!prefixed && !prefixOptional) return distrusted('header-malformed')
  const sent = [prefixed ? text.value.slice(prefix.length) : text.value, ...(prefixOptional ? [text.value] : [])]
  return matchedBy(keys, key => sent.some(value => isKey(key, Buffer.from(value, 'utf8'))))
}

/** Compared as digests: equal lengths whatever was sent, so not even the length of the secret leaks. */
export const isKey = (key: Key, sent: Uint8Array): boolean =>
  key.type === 'secret' && timingSafeEqual(digest(key.export()), digest(sent))

const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** RFC 7617; the word `Basic` in any case, one space, the credentials in base64. */
export const checkBasic = ({ delivery, keys }: Inspection): Verdict => {
  const text = locate({ in: 'header', name: 'authorization' }, delivery)
  if ('refused' in text) return distrusted(text.refused)
  const [, encoded = ''] = /^basic ([^ ]+)$/i.exec(text.value) ?? []
  const sent = decodeSignature('base64', encoded)
  return sent ? matchedBy(keys, key => isKey(key, sent)) : distrusted('header-malformed')
}
