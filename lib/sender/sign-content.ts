import { createHmac } from 'node:crypto'
import type { Millis } from '../../functions/domain/brands.ts'
import type { Proof, Signer } from '../../functions/domain/coded.ts'
import type { Delivery } from '../../functions/domain/delivery.ts'
import type { Encoding, Layout, SignedScheme, TimestampField, TimestampUnit } from '../../functions/domain/scheme.ts'
import { digestOf, join } from '../../functions/providers/match-signature.ts'
import { type Recipe, recipesOf } from '../../functions/providers/recipe.ts'
import { type Content, renderContent } from '../../functions/providers/render-content.ts'
import { putInBody } from './put-json.ts'

/** The proof of a scheme that signs a text, as of the delivery's `receivedAt`. */
export const signContent = (scheme: SignedScheme, signer: Signer): Proof => {
  const { source, delivery } = signer
  const [recipe] = recipesOf(scheme)
  if (recipe === undefined || !['header', 'json'].includes(recipe.sig.in)) {
    throw new TypeError(`source ${source.name}: its signature is in the ${scheme.sig.in}, where none can be put`)
  }
  const { sig, ts } = recipe
  const timestamp = timestampOf(ts, delivery.receivedAt)
  const stamped = { ...signedAlong(recipe, delivery), ...(ts?.in === 'header' && { [ts.name]: timestamp }) }
  const headers = new Map([
    ...delivery.headers,
    ...Object.entries(stamped).map(([name, value]) => [name, [value]] as const),
  ])
  const body = ts?.in === 'json' ? putInBody(delivery.body, ts.name, asNumber(ts, timestamp)) : delivery.body
  const fields = new Map([...(ts?.in === 'sig' ? [[ts.name, [timestamp]] as const] : []), ...extras(scheme)])
  const content = renderContent(recipe, {
    source,
    delivery: { ...delivery, headers, body },
    group: { fields, signatures: [] },
  })
  if ('refused' in content) throw new TypeError(`source ${source.name}: nothing to sign, ${content.refused}`)
  const signature = ENCODERS[sig.encoding](digest(scheme, signer, content.value))
  if (sig.in === 'json') return { body: putInBody(body, sig.name, signature) }
  return { headers: { ...stamped, [sig.name]: layOut(sig, signature, fields) }, body }
}

/** Headers that are signed and that nobody has set, such as the id of a message. */
const signedAlong = ({ parts }: Recipe, { headers, receivedAt }: Delivery): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parts.flatMap(part =>
      typeof part !== 'string' && part.token === 'header' && !headers.has(part.argument)
        ? [[part.argument, `local-${receivedAt}`]]
        : [],
    ),
  )

/** Linear's is a number; Mailgun's is a text of digits. */
const asNumber = ({ unit }: TimestampField, timestamp: string): unknown =>
  unit === 'ms' ? Number(timestamp) : timestamp

/** What is signed along in a header of pairs, such as Hygraph's environment. */
const extras = ({ signed }: SignedScheme): (readonly [string, readonly string[]])[] =>
  [...signed.matchAll(/\{sig:([^}]+)\}/g)].map(([, name = '']) => [name, ['master']])

const timestampOf = (ts: TimestampField | undefined, now: Millis): string => (ts ? WRITERS[ts.unit](now) : '')

const seconds = (now: Millis): string => String(Math.floor(now / 1000))

const WRITERS = {
  s: seconds,
  ms: now => String(now),
  iso8601: now => new Date(now).toISOString(),
  'iso8601-utc': now => new Date(now).toISOString().slice(0, -1),
  any: seconds,
} satisfies Record<TimestampUnit, (now: Millis) => string>

const digest = (scheme: SignedScheme, { key, privately }: Signer, content: Content): Buffer => {
  if (scheme.kind === 'digest') return digestOf(scheme.hash, key, content)
  if (scheme.kind === 'hmac' && key.type === 'secret') {
    const hmac = createHmac(scheme.hash, key)
    for (const part of content) hmac.update(part)
    return hmac.digest()
  }
  return privately(join(content), scheme.kind === 'hmac' ? undefined : scheme.hash)
}

const ENCODERS = {
  hex: bytes => bytes.toString('hex'),
  'hex-upper': bytes => bytes.toString('hex').toUpperCase(),
  base64: bytes => bytes.toString('base64'),
  base64url: bytes => bytes.toString('base64url'),
  'base64(hex)': bytes => Buffer.from(bytes.toString('hex')).toString('base64'),
  utf8: bytes => bytes.toString('utf8'),
} satisfies Record<Encoding, (bytes: Buffer) => string>

const layOut = (layout: Layout, signature: string, fields: ReadonlyMap<string, readonly string[]>): string => {
  switch (layout.layout) {
    case 'plain':
      return signature
    case 'prefix':
      return layout.prefix + signature
    case 'kv': {
      const pairs = [...[...fields].map(([name, [value = '']]) => [name, value]), [layout.sigKeys[0], signature]]
      return pairs.map(pair => pair.join(layout.kvSep)).join(layout.pairSep)
    }
    case 'list':
      return `${layout.versions[0]}${layout.itemSep}${signature}`
    case 'stamp-first':
      return [...[...fields.values()].flat(), signature].join(',')
  }
}
