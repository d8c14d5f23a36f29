import { verify } from 'node:crypto'
import type { CodeModule } from '../../domain/scheme.ts'
import { decodeSignature } from '../decode-signature.ts'
import { locate } from '../locate.ts'
import { distrusted, matchedBy } from '../verdict.ts'

export const file = 'ebay'

export const reads: CodeModule['reads'] = { headers: ['x-ebay-signature'] }

/**
 * A header of base64 JSON: `{ alg, kid, signature, digest }`, ECDSA with SHA-1 over the body. Its key is behind OAuth, so
 * it has to be in the secret store. What the header says about algorithms is compared, never followed.
 */
export const check: CodeModule['check'] = (_, { delivery, keys }) => {
  const text = locate({ in: 'header', name: 'x-ebay-signature' }, delivery)
  if ('refused' in text) return distrusted(text.refused)
  const signature = readHeader(text.value)
  if (signature === undefined) return distrusted('header-malformed')
  return matchedBy(keys, key => verify('sha1', delivery.body, { key, dsaEncoding: 'der' }, signature))
}

export const sign: CodeModule['sign'] = ({ delivery, privately }) => {
  const signature = privately(delivery.body, 'sha1').toString('base64')
  const header = { alg: 'ecdsa', kid: 'local', signature, digest: 'SHA1' }
  return { headers: { 'x-ebay-signature': Buffer.from(JSON.stringify(header)).toString('base64') } }
}

export const words = (): string => 'ECDSA with SHA-1 of the body in `x-ebay-signature`'

export const covers: CodeModule['covers'] = () => ({ body: 'bytes' })

const readHeader = (text: string): Buffer | undefined => {
  try {
    const { alg, digest, signature } = JSON.parse(decodeSignature('base64', text)?.toString('utf8') ?? '')
    const known = String(alg).toLowerCase() === 'ecdsa' && String(digest).toUpperCase() === 'SHA1'
    return known && typeof signature === 'string' ? decodeSignature('base64', signature) : undefined
  } catch {
    return undefined
  }
}
