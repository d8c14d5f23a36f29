import type { JwtScheme, Scheme, SignedScheme, SingleScheme, TimestampField } from '../../functions/domain/scheme.ts'
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
    case 'twilio':
      return `HMAC-SHA1 of the URL and the sorted form in \`${scheme.header}\``
    case 'jwt':
      return jwtWords(scheme)
    case 'code':
      return CODE_WORDS[scheme.code] + within(scheme.toleranceSeconds)
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

const jwtWords = ({ token, algorithms, covers, jwks, toleranceSeconds }: JwtScheme): string => {
  const where = token.in === 'body' ? 'that is the body' : `in \`${token.name}\``
  const tied = covers === undefined ? '' : ', tied to the body'
  const keys =
    jwks && 'url' in jwks ? `, keys from ${jwks.url}` : jwks?.otherwise ? `, keys from ${jwks.otherwise}` : ''
  return `a JWT (${algorithms.join(', ')}) ${where}${tied}${keys}${within(toleranceSeconds)}`
}

const CODE_WORDS = {
  'adyen-items': 'HMAC-SHA256 over eight fields of each item, inside the item',
  'aws-sns': 'RSA over the fields of the message, with a certificate that SNS publishes',
  braintree: 'HMAC-SHA1 of the payload, in the form',
  contentful: 'HMAC-SHA256 of method, path, named headers and body in `x-contentful-signature` (hex)',
  ebay: 'ECDSA with SHA-1 of the body in `x-ebay-signature`',
  'exact-online': 'HMAC-SHA256 of Content, in HashCode beside it',
  'http-signatures': 'RFC 9421: Ed25519 over the digest of the body, in `signature`',
  'microsoft-graph': 'the clientState of the subscription, in each notification',
  paypal:
    'RSA over id, time, webhook and the CRC-32 of the body in `paypal-transmission-sig`, with a certificate that PayPal publishes',
  plivo: 'HMAC-SHA256 of the URL, the sorted form and a nonce in `x-plivo-signature-v3`',
} as const
