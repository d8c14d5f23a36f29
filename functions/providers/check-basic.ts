import type { Inspection } from '../domain/coded.ts'
import type { Verdict } from '../domain/verdict.ts'
import { isKey } from './check-token.ts'
import { decodeSignature } from './decode-signature.ts'
import { locate } from './locate.ts'
import { distrusted, matchedBy } from './verdict.ts'

/** RFC 7617; the word `Basic` in any case, one space, the credentials in base64. */
export const checkBasic = ({ delivery, keys }: Inspection): Verdict => {
  const text = locate({ in: 'header', name: 'authorization' }, delivery)
  if ('refused' in text) return distrusted(text.refused)
  const [, encoded = ''] = /^basic ([^ ]+)$/i.exec(text.value) ?? []
  const sent = decodeSignature('base64', encoded)
  return sent ? matchedBy(keys, key => isKey(key, sent)) : distrusted('header-malformed')
}
