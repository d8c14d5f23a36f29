import type { Millis } from '../domain/brands.ts'
import type { Inspection } from '../domain/coded.ts'
import type { Delivery } from '../domain/delivery.ts'
import { isCoded, type SingleScheme } from '../domain/scheme.ts'
import type { Source } from '../domain/source.ts'
import type { Verdict } from '../domain/verdict.ts'
import { checkSigned } from './check-signed.ts'
import { checkBasic, checkToken } from './check-token.ts'
import { chooseVariant } from './choose-variant.ts'
import type { Key } from './read-key.ts'
import { distrusted, genuine } from './verdict.ts'

/** Current, previous, and room for a rotation that overlaps another; more would be free work for a forger. */
export const MOST_KEYS = 8

/** Signature first, on the raw bytes; then, if the scheme signs one, the timestamp. Never throws, whatever arrives. */
export const checkSignature = (source: Source, delivery: Delivery, keys: readonly Key[], now: Millis): Verdict => {
  const scheme = chooseVariant(source.scheme, delivery)
  if ('refused' in scheme) return distrusted(scheme.refused)
  return check(scheme.value, { source, delivery, keys: keys.slice(0, MOST_KEYS), now })
}

const check = (scheme: SingleScheme, inspection: Inspection): Verdict => {
  if (isCoded(scheme)) throw new TypeError(`a scheme of kind ${scheme.kind} is judged by check-coded.ts`)
  switch (scheme.kind) {
    case 'hmac':
    case 'digest':
    case 'ed25519':
    case 'ecdsa':
    case 'rsa':
      return checkSigned(scheme, inspection)
    case 'token':
      return checkToken(scheme, inspection)
    case 'basic':
      return checkBasic(inspection)
    case 'none':
      return genuine(NO_KEY)
  }
}

const NO_KEY = -1
