import { createHash, createHmac } from 'node:crypto'
import { toSeconds } from '../../functions/domain/brands.ts'
import type { JwtAlgorithm, JwtScheme } from '../../functions/domain/scheme.ts'
import { base64url, stampedPayload } from '../../functions/providers/jwt/detached-payload.ts'
import type { Key } from '../../functions/providers/read-key.ts'
import type { Proof, Signer } from './sign.ts'
import { signPrivately } from './sign-privately.ts'

const LIFE_SECONDS = 3600

/** A token as the provider would make it: with the claims its scheme asks for. */
export const signJwt = (scheme: JwtScheme, signer: Signer): Proof => {
  const { key, delivery } = signer
  const { covers, token } = scheme
  const stamp = String(delivery.receivedAt)
  const detached = covers === 'detached' || (covers !== undefined && 'detachedWith' in covers)
  const payload = !detached
    ? encode(claimsOf(scheme, signer))
    : covers === 'detached'
      ? base64url(delivery.body)
      : stampedPayload(stamp, delivery.body)
  const algorithm = algorithmOf(scheme, key)
  const header = encode({ alg: algorithm, typ: 'JWT', kid: 'local' })
  const signature = base64url(signatureOf(key, algorithm, Buffer.from(`${header}.${payload}`, 'latin1')))
  const jws = `${header}.${detached ? '' : payload}.${signature}`
  if (token.in === 'body') return { body: Buffer.from(jws, 'latin1') }
  const stamped = covers !== undefined && covers !== 'detached' && 'detachedWith' in covers
  return { headers: { ...(stamped && { [covers.detachedWith]: stamp }), [token.name]: (token.prefix ?? '') + jws } }
}

const encode = (value: object): string => base64url(Buffer.from(JSON.stringify(value)))

const claimsOf = ({ covers, claims = {}, token }: JwtScheme, { source, delivery }: Signer): object => {
  const now = toSeconds(delivery.receivedAt)
  const fixed = Object.entries(claims).map(([name, value]) => [
    name,
    typeof value === 'object' ? source.config[value.config] : value,
  ])
  const hash =
    covers && typeof covers === 'object' && 'claim' in covers
      ? { [covers.claim]: createHash('sha256').update(delivery.body).digest(covers.encoding) }
      : {}
  const body = token.in === 'body' ? folded(delivery.body) : {}
  return { ...Object.fromEntries(fixed), ...hash, ...body, iat: now, exp: now + LIFE_SECONDS }
}

/** Wix: JSON in a string in JSON in a string. */
const folded = (body: Uint8Array): object => {
  const { data } = JSON.parse(Buffer.from(body).toString('utf8'))
  return { data: JSON.stringify({ ...data, data: JSON.stringify(data?.data ?? {}) }) }
}

const KINDS = { HS256: 'secret', RS256: 'rsa', RS512: 'rsa', ES256: 'ec', EdDSA: 'ed25519' } satisfies Record<
  JwtAlgorithm,
  string
>

const algorithmOf = ({ algorithms }: JwtScheme, key: Key): JwtAlgorithm => {
  const kind = key.type === 'secret' ? 'secret' : key.asymmetricKeyType
  const algorithm = algorithms.find(each => KINDS[each] === kind)
  if (algorithm === undefined) throw new TypeError(`a ${kind} key signs none of ${algorithms.join(', ')}`)
  return algorithm
}

const signatureOf = (key: Key, algorithm: JwtAlgorithm, input: Buffer): Buffer =>
  key.type === 'secret'
    ? createHmac('sha256', key).update(input).digest()
    : signPrivately(key, input, algorithm === 'RS512' ? 'sha512' : 'sha256', 'ieee-p1363')
