import type { Millis } from './brands.ts'

/** Lower-case names; every value that arrived, so a repeated header can be refused instead of guessed at. */
export type HeaderMap = ReadonlyMap<string, readonly string[]>

/** One HTTP request, whichever front door it came through. Nothing in it is trusted yet. */
export interface Delivery {
  readonly method: string
  /** The `{source}` of the path, as the caller spelled it. */
  readonly source: string
  /** The URL as the front door saw it, query included. */
  readonly url: string
  readonly headers: HeaderMap
  /** The exact bytes, after undoing the front door's base64. */
  readonly body: Uint8Array
  readonly receivedAt: Millis
  readonly correlationId: string
  readonly trace: Trace
  /** That it did not come as a delivery: it was taken from its sender's own list. */
  readonly via?: Via
}

export type Via = 'reconcile'

export interface Trace {
  /** W3C trace context of the sender. */
  readonly traceparent?: string
  /** X-Ray's, added by API Gateway. */
  readonly amazonTrace?: string
}

/** `undefined` when absent, `'repeated'` when it came more than once: a reader has to say what that means to it. */
export const singleHeader = (headers: HeaderMap, name: string): { value: string } | 'repeated' | undefined => {
  const [value, ...others] = headers.get(name) ?? []
  if (value === undefined) return undefined
  return others.length > 0 ? 'repeated' : { value }
}

/** A compressed body is refused, not inflated: the bytes that were signed are not the bytes that would be stored. */
export const isEncoded = (delivery: Delivery): boolean =>
  (delivery.headers.get('content-encoding') ?? []).some(value => !UNENCODED.has(value.trim().toLowerCase()))

const UNENCODED: ReadonlySet<string> = new Set(['', 'identity'])
