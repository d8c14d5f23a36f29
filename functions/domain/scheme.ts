import type { Coded } from './coded.ts'

/** How a sender proves that a delivery is its own: rows of data, judged by functions/providers/check-signature.ts. */
export type Scheme = SingleScheme | AnyScheme

export type SingleScheme =
  | HmacScheme
  | DigestScheme
  | PublicKeyScheme
  | TokenScheme
  | BasicScheme
  | JwtScheme
  | CodeScheme
  | NoScheme

/** Schemes that sign a text described by a template. */
export type SignedScheme = HmacScheme | DigestScheme | PublicKeyScheme

/**
 * A sender with several ways, the best one first. The first whose proof is there is the only one tried, so a bad
 * proof cannot hide behind a weaker one. A source can say which one it means with `config: { variant }`.
 */
export interface AnyScheme {
  readonly kind: 'any'
  readonly of: Readonly<Record<string, Variant>>
  /**
   * One delivery carries several of them, so whoever drops the best could pass with a weaker one: the first is required, and
   * another counts only if the source names it. @default which one is sent is a setting at the sender
   */
  readonly together?: true
}

export type Variant = SingleScheme & {
  /** Two ways with one header, told apart by another. */
  readonly when?: { readonly header: string; readonly is: string }
}

interface Signed {
  readonly sig: SignatureField
  /**
   * What is signed. Tokens: {body} {ts} {url} {url_decoded} {method} {path} {path_and_query} {crc32} {body_sha256_hex} {header:NAME} {json:PATH}
   * {form:NAME} {sig:KEY} {config:NAME} {body_json} {secret}; everything else is literal.
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
  /** The sender signs other texts with the same key (a challenge, the fields of an item): only JSON objects and lists are deliveries. */
  readonly challenges?: true
}

/** A plain hash of a text that has the secret in it. Put before the text, it lets anyone append to what was signed. */
export interface DigestScheme extends Signed {
  readonly kind: 'digest'
  readonly hash: Hash
  readonly key: SecretKeyFormat
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
  readonly token: Place & {
    readonly in: 'header' | 'query'
    readonly prefix?: string
    /** Some write the prefix into the secret, some leave it to the sender. */
    readonly prefixOptional?: true
  }
  readonly key: SecretKeyFormat
}

/** RFC 7617; the secret is `user:password`. */
export interface BasicScheme {
  readonly kind: 'basic'
}

/** A JSON Web Signature, in a header or as the body itself. */
export interface JwtScheme {
  readonly kind: 'jwt'
  readonly code: Coded<JwtScheme>
  /** `body`: the whole body is the token. */
  readonly token: (Place & { readonly in: 'header'; readonly prefix?: string }) | { readonly in: 'body' }
  /** Nothing else is believed, whatever the token says about itself; and each only with its own kind of key. */
  readonly algorithms: readonly JwtAlgorithm[]
  readonly key: SecretKeyFormat | PublicKeyFormat
  /** What ties the token to the body. @default nothing: it only says who sends */
  readonly covers?:
    | { readonly claim: string; readonly encoding: 'hex' | 'base64' }
    /** The payload is left out of the token, since it is the body. */
    | 'detached'
    /** Neon: the payload is `timestamp.base64url(body)`. */
    | { readonly detachedWith: string; readonly unit: TimestampUnit }
  /** Claims that have to be this; `{ config }`: what the source's config says. */
  readonly claims?: Readonly<Record<string, string | true | { readonly config: string }>>
  /** Where the sender publishes its keys: a URL, or the name of a config field that holds it. */
  readonly jwks?: { readonly url: string } | { readonly config: string; readonly otherwise?: string }
  /** How old or early `iat`, or the timestamp it is detached with, may be. @default only `exp` and `nbf` count */
  readonly toleranceSeconds?: number
  /** Senders that always set one: a token without it is refused. */
  readonly requires?: readonly ('iat' | 'exp')[]
}

export type JwtAlgorithm = 'HS256' | 'RS256' | 'RS512' | 'ES256' | 'EdDSA'

/** What a module of functions/providers/coded exports. */
export type CodeModule = Coded<CodeScheme>

/** What no template can say. */
export interface CodeScheme {
  readonly kind: 'code'
  readonly code: CodeModule
  readonly key: SecretKeyFormat | PublicKeyFormat
  readonly keyType?: PublicKeyScheme['kind']
  /** Where its timestamp is signed. */
  readonly toleranceSeconds?: number
  /** Its key is downloaded when the secret store has none. */
  readonly downloads?: true
  /** The field of a JSON body that holds the secret itself. */
  readonly sends?: string
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
  /** `1663103925004,<signature>,<signature>`: the time comes first, and is read as the key `t`. */
  | { readonly layout: 'stamp-first' }

export interface TimestampField {
  /** `sig`: a key of a `kv` signature, or the `t` of one that is `stamp-first`. */
  readonly in: 'sig' | 'header' | 'json'
  readonly name: string
  readonly unit: TimestampUnit
  /** Both ways: this old, or this early. */
  readonly toleranceSeconds: number
}

/**
 * `any`: a sender that does not say. Ten digits are seconds, thirteen milliseconds: 33 centuries lie between.
 * `iso8601-utc`: a time without a zone is UTC.
 */
export type TimestampUnit = 's' | 'ms' | 'iso8601' | 'iso8601-utc' | 'any'

export interface SecretKeyFormat {
  readonly encoding: 'utf8' | 'base64' | 'hex' | 'sha1(utf8)'
  /** The first one that matches is removed before decoding. */
  readonly stripPrefixes?: readonly string[]
  /** Part of the key, but public: a secret that is nothing more than this is refused. */
  readonly knownPrefixes?: readonly string[]
}

/** A PEM, public key or certificate, or a JWK is taken whatever the encoding says. `jwk-or-utf8`: else it is a secret. */
export interface PublicKeyFormat {
  readonly encoding: 'raw-hex' | 'raw-base64' | 'spki-pem' | 'spki-der-base64' | 'x509-pem' | 'jwk' | 'jwk-or-utf8'
}

/** A sender whose keys can be downloaded works without one; a key in the secret store then stands for the download. */
export const needsSecret = (scheme: Scheme): boolean => scheme.kind !== 'none' && !downloadsKeys(scheme)

export const downloadsKeys = (scheme: Scheme): boolean =>
  (scheme.kind === 'code' && scheme.downloads === true) || (scheme.kind === 'jwt' && scheme.jwks !== undefined)

/** Their check may wait for a key, and only the functions whose sources need it carry it. */
export const isCoded = (scheme: Scheme): scheme is JwtScheme | CodeScheme => 'code' in scheme

export const isSigned = (scheme: Scheme): scheme is SignedScheme => 'signed' in scheme
