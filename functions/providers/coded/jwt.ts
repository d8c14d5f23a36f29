import { createHash } from 'node:crypto'
import type { JwtScheme } from '../../domain/scheme.ts'
import type { Source } from '../../domain/source.ts'
import type { CodedVerdict, Download } from '../check-coded.ts'
import { distrusted, type Found, type Inspection, refused } from '../inspection.ts'
import { checkLifetime } from '../jwt/check-lifetime.ts'
import { type DetachedPayload, detachedPayload } from '../jwt/detached-payload.ts'
import { readJws, type Signed, signedWith } from '../jwt/jws.ts'
import { publishedKeys } from '../jwt/published-keys.ts'
import { locate } from '../locate.ts'
import { sameBytes } from '../match-signature.ts'
import type { Key } from '../read-key.ts'

/** Signature, then what ties the token to this body and this source, then its time. */
export const checkJwt = async (
  scheme: JwtScheme,
  inspection: Inspection,
  download: Download,
): Promise<CodedVerdict> => {
  const token = tokenOf(scheme, inspection)
  if ('refused' in token) return distrusted(token.refused)
  const detached = detachedPayload(scheme, inspection.delivery)
  if (detached && 'refused' in detached) return distrusted(detached.refused)
  const signed = readJws(token.value, scheme.algorithms, detached?.value.payload)
  if (signed === undefined) return distrusted('header-malformed')

  const matched = await matchKey(scheme, inspection, signed, download)
  if (typeof matched !== 'number') return matched
  const problem = checkContent(scheme, inspection, signed, detached?.value)
  return problem ? distrusted(problem) : { kind: 'genuine', matched }
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

const hasClaims = ({ claims: expected = {} }: JwtScheme, claims: Signed['claims'], { config }: Source): boolean =>
  Object.entries(expected).every(([name, value]) => {
    const wanted = typeof value === 'object' ? config[value.config] : value
    return wanted !== undefined && claims[name] === wanted
  })
