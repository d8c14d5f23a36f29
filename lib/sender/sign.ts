import type { Millis } from '../../functions/domain/brands.ts'
import type { Delivery } from '../../functions/domain/delivery.ts'
import { Secret } from '../../functions/domain/secret.ts'
import type { Source } from '../../functions/domain/source.ts'
import { signedParameters, twilioHmac } from '../../functions/providers/check-twilio.ts'
import { type Key, readKey } from '../../functions/providers/read-key.ts'
import { signedUrl } from '../../functions/providers/signed-url.ts'
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

/** The headers its provider would send, signature included: the mirror of functions/providers/check-signature.ts. */
export const sign = (source: Source, secret: string, request: SignRequest): { readonly headers: Headers } => {
  const headers = { ...nameHeaders(source, request), ...request.headers }
  if (source.scheme.kind === 'none') return { headers }
  const key = readKey(source.scheme, new Secret(secret))
  if ('problem' in key) throw new TypeError(`source ${source.name}: ${key.problem}`)
  return { headers: { ...headers, ...prove(source, key, secret, request, headers) } }
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

const prove = (source: Source, key: Key, secret: string, request: SignRequest, headers: Headers): Headers => {
  const { scheme } = source
  switch (scheme.kind) {
    case 'hmac':
    case 'ed25519':
    case 'ecdsa':
    case 'rsa':
      return signContent(source, scheme, key, deliveryOf(source, request, headers))
    case 'token':
      return { [scheme.token.name]: `${scheme.token.prefix ?? ''}${secret}` }
    case 'basic':
      return { authorization: `Basic ${Buffer.from(secret, 'utf8').toString('base64')}` }
    case 'twilio':
      return { [scheme.header]: signTwilio(source, key, deliveryOf(source, request, headers)) }
    case 'none':
      return {}
  }
}

const signTwilio = (source: Source, key: Key, delivery: Delivery): string => {
  const url = signedUrl(source, delivery)
  const parameters = signedParameters(url, delivery)
  if (parameters === undefined)
    throw new TypeError('the body is neither a form nor the one whose bodySHA256 the URL carries')
  return twilioHmac(key, url + parameters).toString('base64')
}

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
