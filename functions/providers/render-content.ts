import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Endpoint } from '../domain/coded.ts'
import type { Delivery } from '../domain/delivery.ts'
import { fieldOf, readTimestamp } from './check-timestamp.ts'
import { locate } from './locate.ts'
import type { TokenName } from './parse-template.ts'
import type { SignatureGroup } from './read-signatures.ts'
import type { Recipe } from './recipe.ts'
import { decodedUrl, signedPath, signedUrl, splitQuery } from './signed-url.ts'
import { type Found, refused } from './verdict.ts'

/** What was signed, piece by piece; the body is in it as the bytes that came. */
export type Content = readonly (string | Uint8Array)[]

/** Where the secret belongs in the text of a digest; whoever hashes it puts it there. */
export const SECRET_HERE = new Uint8Array(0)

export interface Signing {
  readonly source: Endpoint
  readonly delivery: Delivery
  readonly group: SignatureGroup
}

export const renderContent = (recipe: Recipe, signing: Signing): Found<Content> => {
  const content: (string | Uint8Array)[] = []
  for (const part of recipe.parts) {
    const piece = typeof part === 'string' ? { value: part } : RENDERERS[part.token](signing, part.argument, recipe)
    if ('refused' in piece) return piece
    content.push(piece.value)
  }
  return { value: content }
}

type Renderer = (signing: Signing, argument: string, recipe: Recipe) => Found<string | Uint8Array>

const RENDERERS = {
  body: ({ delivery }) => ({ value: delivery.body }),
  ts: ({ delivery, group }, _, { ts }) => (ts ? readTimestamp(ts, delivery, group) : refused('timestamp-missing')),
  url: ({ source, delivery }) => ({ value: signedUrl(source, delivery) }),
  url_decoded: ({ source, delivery }) => ({ value: decodedUrl(signedUrl(source, delivery)) }),
  path: ({ source, delivery }) => ({ value: signedPath(source, delivery) }),
  path_and_query: ({ source, delivery }) => {
    const [, query] = splitQuery(signedUrl(source, delivery))
    return { value: signedPath(source, delivery) + (query && `?${query}`) }
  },
  method: ({ delivery }) => ({ value: delivery.method }),
  crc32: ({ delivery }) => ({ value: String(process.getBuiltinModule('node:zlib').crc32(delivery.body)) }),
  body_sha256_hex: ({ delivery }) => ({ value: createHash('sha256').update(delivery.body).digest('hex') }),
  body_json: ({ delivery: { body } }) =>
    isUtf8(body) ? { value: JSON.stringify(Buffer.from(body).toString('utf8')) } : refused('signature-mismatch'),
  secret: () => ({ value: SECRET_HERE }),
  header: ({ delivery }, name) => locate({ in: 'header', name }, delivery),
  json: ({ delivery }, name) => locate({ in: 'json', name }, delivery),
  form: ({ delivery }, name) => locate({ in: 'form', name }, delivery),
  sig: ({ group }, name) => fieldOf(group, name),
  config: ({ source }, name) => {
    const value = source.config[name]
    return typeof value === 'string' ? { value } : refused('header-missing')
  },
} satisfies Record<TokenName, Renderer>
