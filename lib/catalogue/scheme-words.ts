import type { Scheme, SignedScheme, SingleScheme, TimestampField } from '../../functions/domain/scheme.ts'
import { isSigned } from '../../functions/domain/scheme.ts'
import { spanWords } from './span-words.ts'

/** How a provider proves its deliveries, in a sentence without a full stop. */
export const schemeWords = (scheme: Scheme): string => {
  if (scheme.kind !== 'any') return singleWords(scheme)
  return Object.entries(scheme.of)
    .map(([name, way]) => `${name}: ${singleWords(way)}`)
    .join('; or ')
}

const singleWords = (scheme: SingleScheme): string => {
  if (isSigned(scheme)) return signedWords(scheme)
  switch (scheme.kind) {
    case 'token': {
      const { in: place, name, prefix = '' } = scheme.token
      return `the secret itself in the ${place === 'header' ? 'header' : `${place} parameter`} \`${name}\`${prefix && ` after \`${prefix.trim()}\``}`
    }
    case 'basic':
      return 'HTTP basic authentication'
    case 'jwt':
      return scheme.code.words(scheme) + within(scheme.toleranceSeconds)
    case 'code':
      return scheme.code.words(scheme) + within(scheme.toleranceSeconds)
    case 'none':
      return 'nothing: it signs nothing'
  }
}

const signedWords = (scheme: SignedScheme): string => {
  const { sig, signed, ts } = scheme
  const algorithm = `${ALGORITHMS[scheme.kind]}${scheme.hash && scheme.kind !== 'ed25519' ? `-${scheme.hash.toUpperCase()}` : ''}`
  const where = sig.in === 'header' ? `the header \`${sig.name}\`` : `\`${sig.name}\` of the body`
  return `${algorithm} of \`${signed.replaceAll('\n', '\\n')}\` in ${where} (${sig.encoding})${timeWords(ts)}`
}

const ALGORITHMS = { hmac: 'HMAC', digest: 'hash', ed25519: 'Ed25519', ecdsa: 'ECDSA', rsa: 'RSA' } satisfies Record<
  SignedScheme['kind'],
  string
>

const timeWords = (ts: TimestampField | undefined): string =>
  ts ? within(ts.toleranceSeconds) : ', without a timestamp'

const within = (seconds: number | undefined): string =>
  seconds === undefined ? '' : `, its time within ${spanWords(seconds)}`
