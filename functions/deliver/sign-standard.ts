import { createHmac } from 'node:crypto'
import type { Millis } from '../domain/brands.ts'
import type { Secret } from '../domain/secret.ts'

export interface ToSign {
  /** `webhook-id`: the same for every try of an event. */
  readonly id: string
  readonly at: Millis
  readonly body: Uint8Array
}

/** The three headers of https://www.standardwebhooks.com. */
export const signStandard = (secret: Secret, { id, at, body }: ToSign): Record<string, string> => {
  const timestamp = String(Math.floor(at / 1000))
  const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` }
}

/** Base64 of at least 24 bytes, as the specification asks; the prefix is not a part of it. */
const keyOf = (secret: Secret): Buffer => {
  const text = secret.reveal().replace(/^whsec_/, '')
  const key = Buffer.from(text, 'base64')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || key.length < 24) {
    throw new TypeError('the signing secret of the destination is not base64 of at least 24 bytes')
  }
  return key
}
