import { createHash, timingSafeEqual } from 'node:crypto'
import type { TokenScheme } from '../domain/scheme.ts'
import type { Verdict } from '../domain/verdict.ts'
import { distrusted, type Inspection, matchedBy } from './inspection.ts'
import { locate } from './locate.ts'
import type { Key } from './read-key.ts'

/** The secret itself, sent along. */
export const checkToken = ({ token }: TokenScheme, { delivery, keys }: Inspection): Verdict => {
  const { prefix = '' } = token
  const text = locate(token, delivery)
  if ('refused' in text) return distrusted(text.refused)
  if (!text.value.startsWith(prefix)) return distrusted('header-malformed')
  const sent = Buffer.from(text.value.slice(prefix.length), 'utf8')
  return matchedBy(keys, key => isKey(key, sent))
}

/** Compared as digests: equal lengths whatever was sent, so not even the length of the secret leaks. */
export const isKey = (key: Key, sent: Uint8Array): boolean =>
  key.type === 'secret' && timingSafeEqual(digest(key.export()), digest(sent))

const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
