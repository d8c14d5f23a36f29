import { createHash, createHmac } from 'node:crypto'
import { toSeconds } from '../../domain/brands.ts'
import type { Coded, CodedVerdict, Download, Endpoint, Inspection, Signer } from '../../domain/coded.ts'
import type { JwtAlgorithm, JwtScheme } from '../../domain/scheme.ts'
import { checkLifetime } from '../jwt/check-lifetime.ts'
import { base64url, type DetachedPayload, detachedPayload, stampedPayload } from '../jwt/detached-payload.ts'
import { readJws, type Signed, signedWith } from '../jwt/jws.ts'
import { publishedKeys } from '../jwt/published-keys.ts'
import { locate } from '../locate.ts'
import { sameBytes } from '../match-signature.ts'
import type { Key } from '../read-key.ts'
import { distrusted, type Found, genuine, refused } from '../verdict.ts'

export const file = 'jwt'

/** And what its scheme names. */
export const reads: Coded<JwtScheme>['reads'] = { headers: [] }

/** Signature, then what ties the token to this body and this source, then its time. */
export const check: Coded<JwtScheme>['check'] = async (scheme, inspection, download) => {
  const token = tokenOf(scheme, inspection)
  if ('refused' in token) return distrusted(token.refused)
  const detached = detachedPayload(scheme, inspection.delivery)
  if (detached && 'refused' in detached) return distrusted(detached.refused)
  const signed = readJws(token.value, scheme.algorithms, detached?.value.payload)
  if (signed === undefined) return distrusted('header-malformed')

  const problem = checkContent(scheme, inspection, signed, detached?.value)
  // What is not meant for us, or too old, is not worth a download.
  if (problem && inspection.keys.length === 0) return distrusted(problem)
  const matched = await matchKey(scheme, inspection, signed, download)
  if (typeof matched !== 'number') return matched
  // A detached one signs the body, which says no more than its bytes.
  return problem ? distrusted(problem) : genuine(matched, detached ? undefined : signed.input.toString('latin1'))
}

/** A token as the provider would make it: with the claims its scheme asks for. */
export const sign: Coded<JwtScheme>['sign'] = (signer, scheme) => {
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
  const signature = base64url(signatureOf(signer, algorithm, Buffer.from(`${header}.${payload}`, 'latin1')))
  const jws = `${header}.${detached ? '' : payload}.${signature}`
  if (token.in === 'body') return { body: Buffer.from(jws, 'latin1') }
  const stamped = covers !== undefined && covers !== 'detached' && 'detachedWith' in covers
  return { headers: { ...(stamped && { [covers.detachedWith]: stamp }), [token.name]: (token.prefix ?? '') + jws } }
}

export const words: Coded<JwtScheme>['words'] = ({ token, algorithms, covers, jwks }) => {
  const where = token.in === 'body' ? 'that is the body' : `in \`${token.name}\``
  const tied = covers === undefined ? '' : ', tied to the body'
  const keys =
    jwks && 'url' in jwks ? `, keys from ${jwks.url}` : jwks?.otherwise ? `, keys from ${jwks.otherwise}` : ''
  return `a JWT (${algorithms.join(', ')}) ${where}${tied}${keys}`
}

export const covers: Coded<JwtScheme>['covers'] = scheme => {
  const { covers: tied, token, toleranceSeconds, requires = [] } = scheme
  const timed = toleranceSeconds !== undefined || requires.length > 0
  return {
    body: tied !== undefined || token.in === 'body' ? 'bytes' : 'nothing',
    headers: typeof tied === 'object' && 'detachedWith' in tied ? [tied.detachedWith] : [],
    time: timed ? 'always' : tied === 'detached' ? 'never' : 'if sent',
  }
}

const tokenOf = ({ token }: JwtScheme, { delivery }: Inspection): Found<string> => {
  if (token.in === 'body') {
    return delivery.body.length > 0
      ? { value: Buffer.from(delivery.body).toString('latin1') }
      : refused('header-missing')
  }
  const text = locate(token, delivery)
  const { prefix = '' } = token
  if ('refused' in text) return text
  return text.value.startsWith(prefix) ? { value: text.value.slice(prefix.length) } : refused('header-malformed')
}

/** Keys of the secret store stand for the published ones. */
const matchKey = async (
  scheme: JwtScheme,
  { keys }: Inspection,
  signed: Signed,
  download: Download,
): Promise<number | CodedVerdict> => {
  if (keys.length > 0 || scheme.jwks === undefined || !('url' in scheme.jwks)) return indexOf(keys, signed)
  const published = await publishedKeys(scheme.jwks.url, signed.kid, download)
  return 'kind' in published ? published : indexOf(published, signed)
}

const indexOf = (keys: readonly Key[], signed: Signed): number | CodedVerdict => {
  const at = keys.findIndex(key => signedWith(key, signed))
  return at < 0 ? distrusted('signature-mismatch') : at
}

const checkContent = (
  scheme: JwtScheme,
  { delivery, source, now }: Inspection,
  { claims }: Signed,
  detached: DetachedPayload | undefined,
) => {
  if (!coversBody(scheme, claims, delivery.body) || !hasClaims(scheme, claims, source)) return 'signature-mismatch'
  return checkLifetime(scheme, claims, detached?.signedAt, now)
}

const coversBody = ({ covers }: JwtScheme, claims: Signed['claims'], body: Uint8Array): boolean => {
  if (covers === undefined || covers === 'detached' || !('claim' in covers)) return true
  const claimed = claims[covers.claim]
  const actual = createHash('sha256').update(body).digest(covers.encoding)
  return typeof claimed === 'string' && sameBytes(Buffer.from(claimed), Buffer.from(actual))
}

const hasClaims = ({ claims: expected = {} }: JwtScheme, claims: Signed['claims'], { config }: Endpoint): boolean =>
  Object.entries(expected).every(([name, value]) => {
    const wanted = typeof value === 'object' ? config[value.config] : value
    return wanted !== undefined && claims[name] === wanted
  })

const LIFE_SECONDS = 3600

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

/** Wix: JSON in a string in JSON in a string. What is a token already, is signed again with what it says. */
const folded = (body: Uint8Array): object => {
  const text = Buffer.from(body).toString('utf8')
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(text.trim()) ?? []
  if (payload !== undefined) return { data: JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')).data }
  const { data } = JSON.parse(text)
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

const signatureOf = ({ key, privately }: Signer, algorithm: JwtAlgorithm, input: Buffer): Buffer =>
  key.type === 'secret'
    ? createHmac('sha256', key).update(input).digest()
    : privately(input, algorithm === 'RS512' ? 'sha512' : 'sha256', 'ieee-p1363')
