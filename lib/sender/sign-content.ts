import { createHmac, createPublicKey, sign as signWith } from 'node:crypto'
import type { Millis } from '../../functions/domain/brands.ts'
import type { Delivery } from '../../functions/domain/delivery.ts'
import type { Encoding, Layout, SignedScheme, TimestampField, TimestampUnit } from '../../functions/domain/scheme.ts'
import type { Source } from '../../functions/domain/source.ts'
import type { Key } from '../../functions/providers/read-key.ts'
import { recipesOf } from '../../functions/providers/recipe.ts'
import { type Content, renderContent } from '../../functions/providers/render-content.ts'
import { localPrivateKey } from './local-key-pair.ts'

/** The signature headers of a scheme that signs a text, as of the delivery's `receivedAt`. */
export const signContent = (
  source: Source,
  scheme: SignedScheme,
  key: Key,
  delivery: Delivery,
): Readonly<Record<string, string>> => {
  const [recipe] = recipesOf(scheme)
  if (recipe === undefined || recipe.sig.in !== 'header') {
    throw new TypeError(
      `source ${source.name}: its signature is in the ${scheme.sig.in}, and only headers can be added`,
    )
  }
  const { sig, ts } = recipe
  const timestamp = timestampOf(ts, delivery.receivedAt)
  const stamped = ts?.in === 'header' ? { [ts.name]: timestamp } : {}
  const headers = new Map([
    ...delivery.headers,
    ...Object.entries(stamped).map(([name, value]) => [name, [value]] as const),
  ])
  const fields = new Map(ts?.in === 'sig' ? [[ts.name, [timestamp]]] : [])
  const group = { fields, signatures: [] }
  const content = renderContent(recipe, { source, delivery: { ...delivery, headers }, group })
  if ('refused' in content) throw new TypeError(`source ${source.name}: nothing to sign, ${content.refused}`)
  const signature = ENCODERS[sig.encoding](digest(scheme, key, content.value))
  return { ...stamped, [sig.name]: layOut(sig, signature, ts?.in === 'sig' ? { name: ts.name, timestamp } : undefined) }
}

const timestampOf = (ts: TimestampField | undefined, now: Millis): string => (ts ? WRITERS[ts.unit](now) : '')

const WRITERS = {
  s: now => String(Math.floor(now / 1000)),
  ms: now => String(now),
  iso8601: now => new Date(now).toISOString(),
} satisfies Record<TimestampUnit, (now: Millis) => string>

const digest = (scheme: SignedScheme, key: Key, content: Content): Buffer => {
  if (scheme.kind === 'hmac' && key.type === 'secret') {
    const hmac = createHmac(scheme.hash, key)
    for (const part of content) hmac.update(part)
    return hmac.digest()
  }
  const privateKey = localPrivateKey()
  if (!createPublicKey(privateKey.export({ format: 'pem', type: 'pkcs8' })).equals(key)) {
    throw new TypeError('only the sender has the private key: with lib/local/secrets.json, the local one is used')
  }
  return signWith(
    null,
    Buffer.concat(content.map(part => (typeof part === 'string' ? Buffer.from(part) : part))),
    privateKey,
  )
}

const ENCODERS = {
  hex: bytes => bytes.toString('hex'),
  'hex-upper': bytes => bytes.toString('hex').toUpperCase(),
  base64: bytes => bytes.toString('base64'),
  base64url: bytes => bytes.toString('base64url'),
  'base64(hex)': bytes => Buffer.from(bytes.toString('hex')).toString('base64'),
  utf8: bytes => bytes.toString('utf8'),
} satisfies Record<Encoding, (bytes: Buffer) => string>

const layOut = (
  layout: Layout,
  signature: string,
  stamp: { readonly name: string; readonly timestamp: string } | undefined,
): string => {
  switch (layout.layout) {
    case 'plain':
      return signature
    case 'prefix':
      return layout.prefix + signature
    case 'kv': {
      const pairs = [...(stamp ? [[stamp.name, stamp.timestamp]] : []), [layout.sigKeys[0], signature]]
      return pairs.map(pair => pair.join(layout.kvSep)).join(layout.pairSep)
    }
    case 'list':
      return `${layout.versions[0]}${layout.itemSep}${signature}`
  }
}
