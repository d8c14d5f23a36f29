import type { Millis } from '../../functions/domain/brands.ts'
import type { Proof, Signer } from '../../functions/domain/coded.ts'
import type { Delivery } from '../../functions/domain/delivery.ts'
import type { SingleScheme } from '../../functions/domain/scheme.ts'
import { Secret } from '../../functions/domain/secret.ts'
import type { Source } from '../../functions/domain/source.ts'
import { readKey } from '../../functions/providers/read-key.ts'
import { signPrivately } from './local-key-pair.ts'
import { signContent } from './sign-content.ts'

export interface SignRequest {
  /** Where it will be posted; a source's `publicUrl` takes its place in what is signed. */
  readonly url: string
  readonly body: Uint8Array
  /** Lower-case names. */
  readonly headers?: Headers
  /** Sent in the header the provider names its events by, if it uses one and `headers` has none. */
  readonly id?: string
  readonly type?: string
  readonly now: Millis
}

type Headers = Readonly<Record<string, string>>

/** A delivery as its provider would send it. Some put the proof into the body or the URL. */
export interface SignedRequest {
  readonly headers: Headers
  readonly body: Uint8Array
  readonly url: string
}

/** The delivery with its proof: the mirror of functions/providers/check-signature.ts. */
export const sign = (source: Source, secret: string, request: SignRequest): SignedRequest => {
  const headers = { ...nameHeaders(source, request), ...request.headers }
  const plain = { headers, body: request.body, url: request.url }
  const scheme = bestOf(source, secret)
  if (scheme.kind === 'none') return plain
  const key = readKey(scheme, new Secret(secret))
  if ('problem' in key) throw new TypeError(`source ${source.name}: ${key.problem}`)
  const signer: Signer = {
    source,
    key,
    secret,
    delivery: deliveryOf(source, request, headers),
    privately: (data, hash, format) => signPrivately(key, data, hash, format),
  }
  const proof = prove(scheme, signer, plain)
  return { ...plain, ...proof, headers: { ...headers, ...proof.headers } }
}

/** Of several ways, the best one that the secret is made for. */
const bestOf = ({ scheme }: Source, secret: string): SingleScheme => {
  if (scheme.kind !== 'any') return scheme
  const ways = Object.values(scheme.of)
  const fitting = ways.find(way => !('problem' in readKey(way, new Secret(secret)))) ?? ways[0]
  return fitting ?? { kind: 'none' }
}

const nameHeaders = ({ provider }: Source, { id, type }: SignRequest): Headers => {
  const [idAt] = provider.identity.kind === 'id' ? provider.identity.id : []
  const named = [
    [idAt, id],
    [provider.type[0], type],
  ] as const
  return Object.fromEntries(
    named.flatMap(([selector, value]) =>
      selector?.startsWith('header:') && value !== undefined ? [[selector.slice('header:'.length), value]] : [],
    ),
  )
}

const prove = (scheme: Exclude<SingleScheme, { kind: 'none' }>, signer: Signer, plain: SignedRequest): Proof => {
  const { secret } = signer
  switch (scheme.kind) {
    case 'hmac':
    case 'digest':
    case 'ed25519':
    case 'ecdsa':
    case 'rsa':
      return signContent(scheme, signer)
    case 'token': {
      const { in: place, name, prefix = '' } = scheme.token
      return place === 'query' ? { url: withQuery(plain.url, name, secret) } : { headers: { [name]: prefix + secret } }
    }
    case 'basic':
      return { headers: { authorization: `Basic ${Buffer.from(secret, 'utf8').toString('base64')}` } }
    case 'jwt':
      return scheme.code.sign(signer, scheme)
    case 'code':
      return scheme.code.sign(signer, scheme)
  }
}

const withQuery = (url: string, name: string, value: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${encodeURIComponent(name)}=${encodeURIComponent(value)}`

const deliveryOf = (source: Source, { url, body, now }: SignRequest, headers: Headers): Delivery => ({
  method: 'POST',
  source: source.name,
  url,
  headers: new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])),
  body,
  receivedAt: now,
  correlationId: '',
  trace: {},
})
