import { verify } from 'node:crypto'
import type { Verdict } from '../../domain/verdict.ts'
import type { CheckCode } from '../check-coded.ts'
import { decodeSignature } from '../decode-signature.ts'
import { distrusted, type Inspection, matchedBy } from '../inspection.ts'
import { locate } from '../locate.ts'

/**
 * A header of base64 JSON: `{ alg, kid, signature, digest }`, ECDSA with SHA-1 over the body. Its key is behind OAuth, so
 * that it has to be in the secret store; what the header says about algorithms is compared, never followed.
 */
export const checkEbay: CheckCode = (_, { delivery, keys }: Inspection): Verdict => {
  const text = locate({ in: 'header', name: 'x-ebay-signature' }, delivery)
  if ('refused' in text) return distrusted(text.refused)
  const signature = readHeader(text.value)
  if (signature === undefined) return distrusted('header-malformed')
  return matchedBy(keys, key => verify('sha1', delivery.body, { key, dsaEncoding: 'der' }, signature))
}

const readHeader = (text: string): Buffer | undefined => {
  try {
    const { alg, digest, signature } = JSON.parse(decodeSignature('base64', text)?.toString('utf8') ?? '')
    const known = String(alg).toLowerCase() === 'ecdsa' && String(digest).toUpperCase() === 'SHA1'
    return known && typeof signature === 'string' ? decodeSignature('base64', signature) : undefined
  } catch {
    return undefined
  }
}
