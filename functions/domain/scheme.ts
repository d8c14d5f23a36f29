/** How a sender proves that a delivery is its own: rows of data, judged by functions/providers/check-signature.ts. */
export type Scheme = HmacScheme | PublicKeyScheme | TokenScheme | BasicScheme | TwilioScheme | NoScheme

/** Schemes that sign a text described by a template. */
export type SignedScheme = HmacScheme | PublicKeyScheme

interface Signed {
  readonly sig: SignatureField
  /**
   * What is signed. Tokens: {body} {ts} {url} {method} {path} {crc32} {body_sha256_hex} {header:NAME} {json:PATH}
   * {form:NAME} {sig:KEY} {config:NAME}; everything else is literal.
   */
  readonly signed: string
  /** Only signed timestamps are listed: freshness that anyone can rewrite proves nothing. */
  readonly ts?: TimestampField
  /**
   * Prefixes of header names, for senders with several brands: names above are written with the first one. Headers of
   * an earlier family next to a signature of a later one are refused, since they would be unsigned ids.
   */
  readonly families?: readonly [string, ...string[]]
}

export interface HmacScheme extends Signed {
  readonly kind: 'hmac'
  readonly hash: Hash
  readonly key: SecretKeyFormat
  /** A secret with this prefix is an Ed25519 public key, and only signatures of these versions are tried with it. */
  readonly publicKeys?: { readonly prefix: string; readonly versions: readonly string[] }
}

export interface PublicKeyScheme extends Signed {
  readonly kind: 'ed25519' | 'ecdsa' | 'rsa'
  /** Not for Ed25519, which brings its own. */
  readonly hash?: Hash
  /** How an ECDSA signature packs its two numbers. @default 'der' */
  readonly format?: 'der' | 'ieee-p1363'
  readonly key: PublicKeyFormat
}

/** The secret itself is sent, so whoever sees one delivery can forge the next. */
export interface TokenScheme {
  readonly kind: 'token'
  readonly token: Place & { readonly prefix?: string }
  readonly key: SecretKeyFormat
}

/** RFC 7617; the secret is `user:password`. */
export interface BasicScheme {
  readonly kind: 'basic'
}

/** URL and sorted form parameters, or URL with a hash of the body: no template can say that. */
export interface TwilioScheme {
  readonly kind: 'twilio'
  readonly header: string
}

/** Signs nothing; a source has to say `unsigned: true`. */
export interface NoScheme {
  readonly kind: 'none'
}

export type Hash = 'sha1' | 'sha256' | 'sha512'
export type Encoding = 'hex' | 'hex-upper' | 'base64' | 'base64url' | 'base64(hex)' | 'utf8'

export interface Place {
  readonly in: 'header' | 'json' | 'form' | 'query'
  /** Lower-case header name, or a path. */
  readonly name: string
}

export type SignatureField = Place &
  Layout & {
    /** Further headers that may hold a signature as well. */
    readonly aliases?: readonly string[]
    readonly encoding: Encoding
    /** Several signatures may be sent (while a secret is rotated), and any one may match. */
    readonly many?: true
  }

export type Layout =
  | { readonly layout: 'plain' }
  | { readonly layout: 'prefix'; readonly prefix: string }
  | {
      readonly layout: 'kv'
      readonly pairSep: string
      readonly kvSep: string
      readonly sigKeys: readonly string[]
      /** Between whole groups, each with its own timestamp. */
      readonly groupSep?: string
    }
  | {
      readonly layout: 'list'
      readonly listSep: string
      readonly itemSep: string
      readonly versions: readonly string[]
    }

export interface TimestampField {
  /** `sig`: a key of a `kv` signature. */
  readonly in: 'sig' | 'header' | 'json'
  readonly name: string
  readonly unit: TimestampUnit
  /** Both ways: this old, or this early. */
  readonly toleranceSeconds: number
}

export type TimestampUnit = 's' | 'ms' | 'iso8601'

export interface SecretKeyFormat {
  readonly encoding: 'utf8' | 'base64' | 'hex' | 'sha1(utf8)'
  /** The first one that matches is removed before decoding. */
  readonly stripPrefixes?: readonly string[]
  /** Part of the key, but public: a secret that is nothing more than this is refused. */
  readonly knownPrefixes?: readonly string[]
}

/** A PEM, public key or certificate, is taken whatever the encoding says. */
export interface PublicKeyFormat {
  readonly encoding: 'raw-hex' | 'raw-base64' | 'spki-pem' | 'spki-der-base64' | 'x509-pem'
}

export const needsSecret = (scheme: Scheme): scheme is Exclude<Scheme, NoScheme> => scheme.kind !== 'none'

export const isSigned = (scheme: Scheme): scheme is SignedScheme => 'signed' in scheme
