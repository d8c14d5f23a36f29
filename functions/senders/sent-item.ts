import { type Millis, millis } from '../domain/brands.ts'
import type { HeaderMap } from '../domain/delivery.ts'
import { isExact } from './exact-json.ts'
import { readPath, readText } from './read-path.ts'
import type { AsDelivery, Ledger } from './sender-api.ts'

/** When an item of the list came to be; undefined if its list does not say. */
export const createdAt = ({ time }: Ledger, item: unknown): Millis | undefined => {
  const told = time === null ? undefined : readPath(item, time)
  const seconds = isExact(told) ? Number(told.rawJSON) : told
  if (typeof seconds === 'number') return millis(seconds * 1000)
  const instant = typeof told === 'string' ? Date.parse(told) : Number.NaN
  return Number.isNaN(instant) ? undefined : millis(instant)
}

/** The sender has seen a 2xx of ours. */
export const isAcknowledged = ({ acknowledged }: Ledger, item: unknown): boolean =>
  acknowledged !== undefined && /^2\d\d$/.test(readText(item, acknowledged) ?? '')

/** Of a list without bodies: only headers can name its events. */
const NO_BODY = '{}'

/** Headers and body that the webhook of an item has, as far as the list tells; undefined if it has not even a body. */
export const asWebhook = (
  { body, wrap, headers = {}, headersAt }: AsDelivery,
  item: unknown,
  hook: string | null,
): { readonly headers: HeaderMap; readonly body: Uint8Array } | undefined => {
  const content = body === null ? NO_BODY : readPath(item, body)
  if (content === undefined || content === null) return undefined
  const text = typeof content === 'string' ? content : JSON.stringify(wrapped(content, wrap))
  const all = headersAt === undefined ? {} : (readPath(item, headersAt) ?? {})
  const single = Object.entries(headers).flatMap(([name, path]) => {
    const value = path === '{hook}' ? hook : readText(item, path)
    return value ? [[name, value] as const] : []
  })
  const sent = Object.entries(all).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
  )
  return {
    headers: new Map([
      ['content-type', ['application/json']],
      ...[...sent, ...single].map(([name, value]) => [name, [value]] as const),
    ]),
    body: Buffer.from(text, 'utf8'),
  }
}

const wrapped = (content: unknown, wrap: string | undefined): unknown =>
  wrap === undefined
    ? content
    : wrap
        .split('.')
        .reverse()
        .reduce<unknown>((inner, name) => ({ [name]: inner }), [content])
