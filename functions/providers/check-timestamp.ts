import type { Millis } from '../domain/brands.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { TimestampField, TimestampUnit } from '../domain/scheme.ts'
import type { Distrust } from '../domain/verdict.ts'
import { locate } from './locate.ts'
import type { SignatureGroup } from './read-signatures.ts'
import { type Found, refused } from './verdict.ts'

/** Why the signed time is not now, in both directions; undefined when it is. */
export const checkTimestamp = (
  ts: TimestampField,
  delivery: Delivery,
  group: SignatureGroup,
  now: Millis,
): Distrust | undefined => {
  const text = readTimestamp(ts, delivery, group)
  if ('refused' in text) return text.refused
  const signedAt = PARSERS[ts.unit](text.value)
  return signedAt === undefined ? 'timestamp-malformed' : checkAge(signedAt, ts.toleranceSeconds, now)
}

/** Epoch milliseconds against the clock, both ways. */
export const checkAge = (signedAt: number, toleranceSeconds: number, now: Millis): Distrust | undefined => {
  if (now - signedAt > toleranceSeconds * 1000) return 'timestamp-stale'
  if (signedAt - now > toleranceSeconds * 1000) return 'timestamp-future'
  return undefined
}

export const parseTimestamp = (unit: TimestampUnit, text: string): number | undefined => PARSERS[unit](text)

/** The timestamp exactly as it was signed. */
export const readTimestamp = (ts: TimestampField, delivery: Delivery, group: SignatureGroup): Found<string> => {
  const text = ts.in === 'sig' ? fieldOf(group, ts.name) : locate({ in: ts.in, name: ts.name }, delivery)
  return 'refused' in text && text.refused === 'header-missing' ? refused('timestamp-missing') : text
}

/** A key of a kv signature that must be there once: `t=1,t=2` is refused instead of letting the last one win. */
export const fieldOf = ({ fields }: SignatureGroup, name: string): Found<string> => {
  const [value, ...others] = fields.get(name) ?? []
  if (others.length > 0) return refused('header-repeated')
  return value ? { value } : refused('header-missing')
}

/** Strict: digits only, no sign, no fraction, nothing after them. */
const digits = (text: string): number | undefined => (/^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined)

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

const seconds = (text: string): number | undefined => {
  const value = digits(text)
  return value === undefined ? undefined : value * 1000
}

const iso8601 = (text: string): number | undefined => {
  const value = ISO_8601.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(value) ? undefined : value
}

/** Epoch milliseconds. */
const PARSERS = {
  s: seconds,
  ms: digits,
  iso8601,
  'iso8601-utc': text => iso8601(/[zZ]$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`),
  any: text => (/^\d{13}$/.test(text) ? digits(text) : /^\d{10}$/.test(text) ? seconds(text) : iso8601(text)),
} satisfies Record<TimestampUnit, (text: string) => number | undefined>
