import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { GatewayEvent } from '../../functions/adapters/api-gateway.ts'
import { webhookPath } from '../../functions/contract/routes.ts'
import type { Millis } from '../../functions/domain/brands.ts'
import type { Source } from '../../functions/domain/source.ts'
import { GATEWAY_EVENTS, type GatewayFormat } from '../../lib/local/gateway-events.ts'
import { sign } from '../../lib/sender/sign.ts'
import { NOON } from '../support/events.ts'

export type Headers = readonly (readonly [name: string, value: string])[]

/** One request as somebody on the internet may send it. */
export interface Attempt {
  readonly source: string
  readonly method: string
  readonly format: GatewayFormat
  readonly query: string
  readonly headers: Headers
  readonly body: Uint8Array
  /** `gateway` as API Gateway would; `lying` sets the flag on a body that is no base64. */
  readonly wrapping: 'gateway' | 'base64' | 'text' | 'lying'
}

const HOST = 'hooks.example.com'

export const plain = (source: string, body: Uint8Array, headers: Headers): Attempt => ({
  source,
  method: 'POST',
  format: 'v2',
  query: '',
  headers,
  body,
  wrapping: 'gateway',
})

export interface Signing {
  readonly secret: string
  readonly body: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly at?: Millis
}

/** A delivery as its provider would sign it. Twilio signs a body that is no form by its hash in the URL. */
export const signedAttempt = (source: Source, { secret, body, headers = {}, at = NOON }: Signing): Attempt => {
  const url = `https://${HOST}${webhookPath(source.name)}`
  const through = (query: string): Attempt => {
    const target = query === '' ? url : `${url}?${query}`
    const signed = sign(source, secret, { url: target, body, headers, now: at })
    return { ...plain(source.name, body, Object.entries(signed.headers)), query }
  }
  if (source.provider.id !== 'twilio') return through('')
  try {
    return through('')
  } catch {
    return through(`bodySHA256=${createHash('sha256').update(body).digest('hex')}`)
  }
}

let requests = 0

/** As API Gateway tells it to the function. */
export const toEvent = (attempt: Attempt): GatewayEvent => {
  const { source, method, query, headers, format } = attempt
  const request = {
    method,
    path: webhookPath(encodeURIComponent(source.toWellFormed())),
    query,
    headers: [['host', HOST] as const, ...headers],
    body: Buffer.from(attempt.body),
    source,
    requestId: `request-${requests++}`,
    sourceIp: '203.0.113.7',
    at: new Date(NOON),
  }
  const event = GATEWAY_EVENTS[format](request)
  return { ...event, ...wrapped(attempt) } as GatewayEvent
}

const wrapped = ({ body, wrapping }: Attempt): { readonly body?: string; readonly isBase64Encoded?: boolean } => {
  const bytes = Buffer.from(body)
  switch (wrapping) {
    case 'gateway':
      return {}
    case 'base64':
      return { body: bytes.toString('base64'), isBase64Encoded: true }
    case 'text':
      return isUtf8(bytes) ? { body: bytes.toString('utf8'), isBase64Encoded: false } : {}
    case 'lying':
      return { body: bytes.toString('latin1'), isBase64Encoded: true }
  }
}

export const withHeader = (headers: Headers, name: string, change: (value: string) => string): Headers =>
  headers.map(([each, value]) => [each, each === name ? change(value) : value])
