import type {
  CodeModule,
  CodeScheme,
  Encoding,
  HmacScheme,
  JwtScheme,
  Layout,
  PublicKeyScheme,
  SecretKeyFormat,
  TimestampField,
  TimestampUnit,
  TokenScheme,
} from '../../domain/scheme.ts'
import * as jwtModule from '../coded/jwt.ts'

const LITERAL: SecretKeyFormat = { encoding: 'utf8' }

interface More extends Partial<Pick<HmacScheme, 'hash' | 'signed' | 'key' | 'ts' | 'challenges'>> {
  /** Before the signature, such as `sha256=`. */
  readonly prefix?: string
  readonly aliases?: readonly string[]
  readonly many?: true
}

/** HMAC-SHA256 of the body in one header, unless more is said. */
export const hmac = (header: string, encoding: Encoding, more: More = {}): HmacScheme => {
  const { prefix, aliases, many, ...rest } = more
  const layout: Layout = prefix === undefined ? { layout: 'plain' } : { layout: 'prefix', prefix }
  const sig = {
    in: 'header' as const,
    name: header,
    encoding,
    ...layout,
    ...(aliases && { aliases }),
    ...(many && { many }),
  }
  return { kind: 'hmac', hash: 'sha256', signed: '{body}', key: LITERAL, ...rest, sig }
}

interface Pairs extends Partial<Pick<HmacScheme, 'signed' | 'key' | 'ts'>> {
  /** The key of the timestamp. @default 't' */
  readonly at?: string
  /** The key of the signature. @default 'v1' */
  readonly sig?: string
  readonly encoding?: Encoding
  readonly unit?: TimestampUnit
  /** Seconds. @default 300 */
  readonly within?: number
  readonly separator?: string
  readonly groupSep?: string
  /** Several signatures may be sent while a secret is rotated. */
  readonly many?: true
}

/** `t=1760000000,v1=<hex>`: timestamp and signature as pairs in one header, signed as `{ts}.{body}`. */
export const stamped = (header: string, pairs: Pairs = {}): HmacScheme => {
  const { at = 't', unit = 's', within = 300, signed = '{ts}.{body}', ...rest } = pairs
  return versioned(header, { signed, ts: { in: 'sig', name: at, unit, toleranceSeconds: within }, ...rest })
}

/** `v1=<hex>,v1=<hex>`: signatures as pairs, without a timestamp among them. */
export const versioned = (header: string, pairs: Pairs = {}): HmacScheme => {
  const { sig = 'v1', encoding = 'hex', separator = ',', groupSep, many, signed = '{body}', key = LITERAL, ts } = pairs
  return {
    kind: 'hmac',
    hash: 'sha256',
    sig: {
      in: 'header',
      name: header,
      layout: 'kv',
      pairSep: separator,
      kvSep: '=',
      sigKeys: [sig],
      encoding,
      ...(groupSep && { groupSep }),
      ...(many && { many }),
    },
    signed,
    key,
    ...(ts && { ts }),
  }
}

/** A signed timestamp in a header of its own. */
export const stamp = (header: string, unit: TimestampUnit, toleranceSeconds = 300): TimestampField => ({
  in: 'header',
  name: header,
  unit,
  toleranceSeconds,
})

export type Brand = readonly [string, ...string[]]

/** https://www.standardwebhooks.com, with the header names of the sender's brand. */
export const standardWebhooks = (
  families: Brand,
  key: SecretKeyFormat = { encoding: 'base64', stripPrefixes: ['whsec_'] },
): HmacScheme => ({
  kind: 'hmac',
  hash: 'sha256',
  sig: {
    in: 'header',
    name: `${families[0]}signature`,
    layout: 'list',
    listSep: ' ',
    itemSep: ',',
    versions: ['v1'],
    encoding: 'base64',
    many: true,
  },
  signed: `{header:${families[0]}id}.{ts}.{body}`,
  key,
  publicKeys: { prefix: 'whpk_', versions: ['v1a'] },
  ts: stamp(`${families[0]}timestamp`, 's'),
  families,
})

export const token = (name: string, place: TokenScheme['token']['in'] = 'header'): TokenScheme => ({
  kind: 'token',
  token: { in: place, name },
  key: LITERAL,
})

/** A public-key signature of a template in one header. */
export const signedBy = (
  kind: PublicKeyScheme['kind'],
  header: string,
  encoding: Encoding,
  more: Omit<PublicKeyScheme, 'kind' | 'sig'>,
): PublicKeyScheme => ({ kind, sig: { in: 'header', name: header, layout: 'plain', encoding }, ...more })

/** A JSON Web Signature. */
export const jwt = (scheme: Omit<JwtScheme, 'kind' | 'code'>): JwtScheme => ({
  kind: 'jwt',
  code: jwtModule,
  ...scheme,
})

/** The module in functions/providers/coded that no template could replace. */
export const code = (module: CodeModule, more: Partial<CodeScheme> = {}): CodeScheme => ({
  kind: 'code',
  code: module,
  key: LITERAL,
  ...more,
})
