import type { Delivery } from '../../domain/delivery.ts'
import type { JwtScheme } from '../../domain/scheme.ts'
import { parseTimestamp } from '../check-timestamp.ts'
import { locate } from '../locate.ts'
import { type Found, refused } from '../verdict.ts'

export interface DetachedPayload {
  /** As it stood between the dots when it was signed. */
  readonly payload: string
  readonly signedAt?: number
}

/** What a token without a payload was signed over; undefined for tokens that carry theirs. */
export const detachedPayload = ({ covers }: JwtScheme, delivery: Delivery): Found<DetachedPayload> | undefined => {
  if (covers === 'detached') return { value: { payload: base64url(delivery.body) } }
  if (covers === undefined || !('detachedWith' in covers)) return undefined
  const text = locate({ in: 'header', name: covers.detachedWith }, delivery)
  if ('refused' in text) return text.refused === 'header-missing' ? refused('timestamp-missing') : text
  const signedAt = parseTimestamp(covers.unit, text.value)
  if (signedAt === undefined) return refused('timestamp-malformed')
  return { value: { payload: stampedPayload(text.value, delivery.body), signedAt } }
}

export const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

export const stampedPayload = (timestamp: string, body: Uint8Array): string =>
  base64url(Buffer.from(`${timestamp}.${base64url(body)}`, 'latin1'))
