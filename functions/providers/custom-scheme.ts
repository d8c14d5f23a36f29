import type {
  Encoding,
  Hash,
  HmacScheme,
  Layout,
  Place,
  Scheme,
  SecretKeyFormat,
  TimestampUnit,
} from '../domain/scheme.ts'

/** A scheme as a user writes it: the words of domain/scheme.ts, with defaults for what most senders do. */
export type CustomScheme =
  | CustomHmac
  /** The secret is sent in a header, after `prefix` if there is one, such as `'Bearer '`. */
  | { readonly kind: 'token'; readonly header: string; readonly prefix?: string }
  /** The secret is `user:password`. */
  | { readonly kind: 'basic' }

export interface CustomHmac {
  readonly kind: 'hmac'
  /** @default 'sha256' */
  readonly hash?: Hash
  readonly sig: CustomSignature
  /** Template of what is signed. @default '{body}' */
  readonly signed?: string
  /** @default the secret's own characters */
  readonly key?: SecretKeyFormat
  /** How far off it may be is the source's `tolerance`. @default none; tolerance 5m */
  readonly ts?: CustomTimestamp
}

export interface CustomSignature {
  /** @default 'header' */
  readonly in?: Place['in']
  readonly name: string
  readonly aliases?: readonly string[]
  /** @default 'hex' */
  readonly encoding?: Encoding
  readonly many?: true
  /** @default 'plain' */
  readonly layout?: Layout['layout']
  /** For `prefix`. */
  readonly prefix?: string
  /** For `kv`: @default ',' and '=' */
  readonly pairSep?: string
  readonly kvSep?: string
  readonly sigKeys?: readonly string[]
  readonly groupSep?: string
  /** For `list`: @default ' ' and ',' */
  readonly listSep?: string
  readonly itemSep?: string
  readonly versions?: readonly string[]
}

export interface CustomTimestamp {
  readonly in: 'sig' | 'header' | 'json'
  readonly name: string
  /** @default 's' */
  readonly unit?: TimestampUnit
}

const DEFAULT_TOLERANCE_SECONDS = 300

export const buildCustomScheme = (scheme: CustomScheme): Scheme => {
  switch (scheme.kind) {
    case 'hmac':
      return buildHmac(scheme)
    case 'token':
      return {
        kind: 'token',
        token: { in: 'header', name: scheme.header.toLowerCase(), prefix: scheme.prefix ?? '' },
        key: { encoding: 'utf8' },
      }
    case 'basic':
      return { kind: 'basic' }
  }
}

const buildHmac = ({
  hash = 'sha256',
  sig,
  signed = '{body}',
  key = { encoding: 'utf8' },
  ts,
}: CustomHmac): HmacScheme => {
  const { in: place = 'header', encoding = 'hex' } = sig
  const lower = (name: string) => (place === 'header' ? name.toLowerCase() : name)
  return {
    kind: 'hmac',
    hash,
    sig: {
      in: place,
      name: lower(sig.name),
      aliases: (sig.aliases ?? []).map(lower),
      encoding,
      ...(sig.many && { many: true }),
      ...buildLayout(sig),
    },
    signed,
    key,
    ...(ts && { ts: buildTimestamp(ts) }),
  }
}

const buildTimestamp = ({ in: place, name, unit = 's' }: CustomTimestamp) => ({
  in: place,
  name: place === 'header' ? name.toLowerCase() : name,
  unit,
  toleranceSeconds: DEFAULT_TOLERANCE_SECONDS,
})

const buildLayout = (sig: CustomSignature): Layout => {
  const { layout = 'plain', prefix = '', pairSep = ',', kvSep = '=', sigKeys = [], groupSep } = sig
  const { listSep = ' ', itemSep = ',', versions = [] } = sig
  switch (layout) {
    case 'plain':
    case 'stamp-first':
      return { layout }
    case 'prefix':
      return { layout, prefix }
    case 'kv':
      return { layout, pairSep, kvSep, sigKeys, ...(groupSep !== undefined && { groupSep }) }
    case 'list':
      return { layout, listSep, itemSep, versions }
  }
}
