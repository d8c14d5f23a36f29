import { createHmac, verify } from 'node:crypto'
import { textOf } from '../../domain/parse-json.ts'
import type { JwtAlgorithm } from '../../domain/scheme.ts'
import { decodeSignature } from '../decode-signature.ts'
import { sameBytes } from '../match-signature.ts'
import type { Key } from '../read-key.ts'

/** A token taken apart; nothing in it is believed until `signedWith` says so. */
export interface Signed {
  readonly algorithm: JwtAlgorithm
  readonly kid: string | undefined
  readonly claims: Readonly<Record<string, unknown>>
  readonly input: Buffer
  readonly signature: Buffer
}

/** A compact JWS. A detached one has nothing between its dots, and there the payload comes from elsewhere. */
export const readJws = (
  token: string,
  algorithms: readonly JwtAlgorithm[],
  detached: string | undefined,
): Signed | undefined => {
  const [header = '', inside = '', encoded = '', ...more] = token.split('.', 4)
  if (more.length > 0 || (detached !== undefined && inside !== '')) return undefined
  const payload = detached ?? inside
  const signature = decodeSignature('base64url', encoded)
  const { alg, kid, crit } = readObject(header)
  const algorithm = algorithms.find(each => each === alg)
  // An extension that has to be understood is one that we do not.
  if (algorithm === undefined || signature === undefined || crit !== undefined) return undefined
  return {
    algorithm,
    kid: typeof kid === 'string' ? kid : undefined,
    claims: detached === undefined ? readObject(payload) : {},
    input: Buffer.from(`${header}.${payload}`, 'latin1'),
    signature,
  }
}

/** Each algorithm only with its own kind of key: a public key is never the secret of an HMAC. */
export const signedWith = (key: Key, { algorithm, input, signature }: Signed): boolean => {
  switch (algorithm) {
    case 'HS256':
      return key.type === 'secret' && sameBytes(signature, createHmac('sha256', key).update(input).digest())
    case 'RS256':
    case 'RS512':
      return key.asymmetricKeyType === 'rsa' && verify(`sha${algorithm.slice(2)}`, input, key, signature)
    case 'ES256':
      return isP256(key) && verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature)
    case 'EdDSA':
      return key.asymmetricKeyType === 'ed25519' && signature.length === 64 && verify(null, input, key, signature)
  }
}

const isP256 = (key: Key): boolean =>
  key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'

const readObject = (encoded: string): Readonly<Record<string, unknown>> => {
  try {
    const text = decodeSignature('base64url', encoded)
    const value: unknown = text && JSON.parse(textOf(text))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
