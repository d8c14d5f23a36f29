import { createHash, createPublicKey, createSecretKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { PublicKeyFormat, PublicKeyScheme, Scheme, SecretKeyFormat } from '../domain/scheme.ts'
import type { Secret } from '../domain/secret.ts'
import { decodeSignature } from './decode-signature.ts'

/** Prints as an empty object: the bytes stay inside OpenSSL. */
export type Key = KeyObject

/** Says what is wrong with a secret without repeating any of it. */
export interface KeyProblem {
  readonly problem: string
  /** It would protect nothing, whoever sends: it is as good as known. */
  readonly worthless?: true
}

/** A secret made ready for its scheme, or why it can verify nothing. */
export const readKey = (scheme: Scheme, secret: Secret): Key | KeyProblem => {
  const value = secret.reveal()
  if (value.trim() === '') return worthless('the secret is empty: expected the value the provider shows')
  switch (scheme.kind) {
    case 'hmac':
      return scheme.publicKeys && value.startsWith(scheme.publicKeys.prefix)
        ? readPublicKey('ed25519', { encoding: 'raw-base64' }, value.slice(scheme.publicKeys.prefix.length))
        : readSecretKey(scheme.key, value)
    case 'digest':
    case 'token':
      return readSecretKey(scheme.key, value)
    case 'basic':
      return value.includes(':') && value !== ':'
        ? readSecretKey(LITERAL, value)
        : problem('the secret has no colon: expected user:password')
    case 'ed25519':
    case 'ecdsa':
    case 'rsa':
      return readPublicKey(scheme.kind, scheme.key, value)
    case 'code':
      return readEither(scheme.keyType, scheme.key, value)
    case 'jwt':
      return readEither(undefined, scheme.key, value)
    case 'any':
      return readAny(scheme.of, secret)
    case 'none':
      return problem('the provider signs nothing: expected no secret')
  }
}

const LITERAL: SecretKeyFormat = { encoding: 'utf8' }

const problem = (sentence: string): KeyProblem => ({ problem: sentence })
const worthless = (sentence: string): KeyProblem => ({ problem: sentence, worthless: true })

const isProblem = (key: Key | KeyProblem): key is KeyProblem => 'problem' in key

/** For a look at the secret alone: good for one of the sender's ways is good. */
const readAny = (ways: Readonly<Record<string, Scheme>>, secret: Secret): Key | KeyProblem => {
  const read = Object.values(ways).map(way => readKey(way, secret))
  return read.find(key => !isProblem(key)) ?? read[0] ?? problem('the provider has no way to sign')
}

const readEither = (
  kind: PublicKeyScheme['kind'] | undefined,
  format: SecretKeyFormat | PublicKeyFormat,
  value: string,
): Key | KeyProblem => {
  if (isSecretFormat(format)) return readSecretKey(format, value)
  const literal = format.encoding === 'jwk-or-utf8' && !/^\s*[{-]/.test(value)
  return literal ? readSecretKey(LITERAL, value) : readPublicKey(kind, format, value)
}

const isSecretFormat = (format: SecretKeyFormat | PublicKeyFormat): format is SecretKeyFormat =>
  Object.hasOwn(SECRET_DECODERS, format.encoding)

const readSecretKey = ({ encoding, stripPrefixes = [], knownPrefixes = [] }: SecretKeyFormat, value: string) => {
  const only = [...stripPrefixes, ...knownPrefixes].find(prefix => prefix === value.trim())
  if (only !== undefined) return worthless(`the secret is only the prefix ${only}: expected the whole value`)
  const prefix = stripPrefixes.find(candidate => value.startsWith(candidate)) ?? ''
  const text = value.slice(prefix.length)
  if (isOfKeyPair(text)) return worthless(KEY_PAIR)
  const bytes = SECRET_DECODERS[encoding](text)
  if (!bytes?.length) return problem(`the secret is not ${encoding}${after(prefix)}: copy it again`)
  return Math.min(bytes.length, text.length) < FEWEST_BYTES
    ? worthless(`the secret has fewer than ${FEWEST_BYTES} bytes${after(prefix)}: anybody could guess it`)
    : createSecretKey(bytes)
}

const FEWEST_BYTES = 4

const KEY_PAIR =
  'the secret is a certificate or a key of a pair, in a form that this sender does not use: others have it too'

/** A public key as the secret of an HMAC would let everybody sign who has it: no spelling of one is taken for a secret. */
const isOfKeyPair = (text: string): boolean => {
  if (/-----BEGIN |"kty"|^\s*(?:LS0tLS1CRUdJTi|ssh-|ecdsa-sha2-|whpk_)/.test(text)) return true
  const [, hex, base64] = /^\s*(?:(30[0-9a-fA-F]{80})|(M[A-P][\w+/-]{50}))/.exec(text) ?? []
  if (!hex && !base64) return false
  const der = Buffer.from(text.trim(), hex ? 'hex' : 'base64')
  const isKey = (type: 'spki' | 'pkcs1') => publicKeyOf(() => ({ key: der, format: 'der', type }))
  return Boolean(isKey('spki') ?? isKey('pkcs1') ?? publicKeyOf(() => new X509Certificate(der).toString()))
}

const after = (prefix: string): string => (prefix === '' ? '' : ` after ${prefix}`)

/** Some dashboards leave the padding out, and in some keys the last character has bits that mean nothing: senders' libraries take both. */
const base64 = (text: string): Buffer | undefined =>
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}={0,2}|[A-Za-z0-9+/]{3}=?)?$/.test(text)
    ? Buffer.from(text, 'base64')
    : undefined

const SECRET_DECODERS = {
  utf8: text => Buffer.from(text, 'utf8'),
  base64,
  hex: text => decodeSignature('hex', text.toLowerCase()),
  'sha1(utf8)': text => createHash('sha1').update(text, 'utf8').digest(),
} satisfies Record<SecretKeyFormat['encoding'], (text: string) => Buffer | undefined>

const readPublicKey = (
  kind: PublicKeyScheme['kind'] | undefined,
  { encoding }: PublicKeyFormat,
  value: string,
): Key | KeyProblem => {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(value))
    return problem('the secret is a private key: expected the public one')
  const key = publicKeyOf(() => (value.startsWith('-----BEGIN ') ? value : PUBLIC_DECODERS[encoding](value)))
  if (key && (kind === undefined || key.asymmetricKeyType === KEY_TYPES[kind])) return key
  return problem(
    `the secret is not a public key for ${kind ?? 'this sender'}: expected ${EXPECTED[encoding]}, or a PEM`,
  )
}

type KeyInput = Parameters<typeof createPublicKey>[0]

export const publicKeyOf = (input: () => KeyInput | undefined): Key | undefined => {
  try {
    const read = input()
    return read === undefined ? undefined : createPublicKey(read)
  } catch {
    // OpenSSL's own words may quote the input.
    return undefined
  }
}

const KEY_TYPES = { ed25519: 'ed25519', ecdsa: 'ec', rsa: 'rsa' } satisfies Record<PublicKeyScheme['kind'], string>

const ED25519_KEY_BYTES = 32

const rawEd25519 = (bytes: Buffer | undefined) =>
  bytes?.length === ED25519_KEY_BYTES
    ? { format: 'jwk' as const, key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') } }
    : undefined

const pemOnly = () => undefined
const jwk = (text: string) => {
  const { d: _, ...key } = JSON.parse(text)
  return { format: 'jwk' as const, key }
}

const PUBLIC_DECODERS = {
  'raw-hex': text => rawEd25519(SECRET_DECODERS.hex(text)),
  'raw-base64': text => rawEd25519(base64(text)),
  'spki-pem': pemOnly,
  'x509-pem': pemOnly,
  'spki-der-base64': text => {
    const key = base64(text)
    return key && { key, format: 'der' as const, type: 'spki' as const }
  },
  jwk,
  'jwk-or-utf8': jwk,
} satisfies Record<PublicKeyFormat['encoding'], (text: string) => KeyInput | undefined>

const EXPECTED = {
  'raw-hex': '64 hex characters',
  'raw-base64': '32 bytes in base64',
  'spki-pem': 'a public key',
  'x509-pem': 'a certificate',
  'spki-der-base64': 'a DER in base64',
  jwk: 'a JSON Web Key',
  'jwk-or-utf8': 'a JSON Web Key',
} satisfies Record<PublicKeyFormat['encoding'], string>
