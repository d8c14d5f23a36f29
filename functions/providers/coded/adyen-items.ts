import { createHmac } from 'node:crypto'
import type { Verdict } from '../../domain/verdict.ts'
import type { CheckCode } from '../check-coded.ts'
import { decodeSignature } from '../decode-signature.ts'
import { distrusted, type Inspection, matchedBy } from '../inspection.ts'
import { sameBytes } from '../match-signature.ts'
import { readBody } from '../read-body.ts'
import type { Key } from '../read-key.ts'

/** More than Adyen puts into one notification. */
const MOST_ITEMS = 100

/** Each item brings a signature over eight of its fields; one that is not genuine spoils the notification. */
export const checkAdyenItems: CheckCode = (_, { delivery, keys }: Inspection): Verdict => {
  const items = readItems(delivery.body)
  if (items === undefined) return distrusted('header-missing')
  const signed = items.map(item => ({ text: adyenText(item), signature: signatureOf(item) }))
  if (signed.some(({ signature }) => signature === undefined)) return distrusted('header-missing')
  return matchedBy(keys, key =>
    signed.every(({ text, signature = '' }) => {
      const bytes = decodeSignature('base64', signature)
      return bytes !== undefined && sameBytes(bytes, adyenHmac(key, text))
    }),
  )
}

export const adyenHmac = (key: Key, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest()

type Item = Readonly<Record<string, unknown>>

/** What is signed, as Adyen's SDK joins it: a colon inside a value is not escaped. */
export const adyenText = (item: Item): string => {
  const { value, currency } = fieldsOf(item.amount)
  return [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    value,
    currency,
    item.eventCode,
    item.success,
  ]
    .map(field => (['string', 'number', 'boolean'].includes(typeof field) ? String(field) : ''))
    .join(':')
}

const readItems = (body: Uint8Array): readonly Item[] | undefined => {
  const json = readBody(body).json()
  const { notificationItems: items } = fieldsOf(json.kind === 'parsed' ? json.value : undefined)
  if (!Array.isArray(items) || items.length === 0 || items.length > MOST_ITEMS) return undefined
  return items.map(item => fieldsOf(fieldsOf(item).NotificationRequestItem))
}

const signatureOf = (item: Item): string | undefined => {
  const { hmacSignature } = fieldsOf(item.additionalData)
  return typeof hmacSignature === 'string' && hmacSignature !== '' ? hmacSignature : undefined
}

const fieldsOf = (value: unknown): Item => (typeof value === 'object' && value !== null ? { ...value } : {})
