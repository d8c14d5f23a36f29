import { createHmac } from 'node:crypto'
import type { CodeModule } from '../../domain/scheme.ts'
import { decodeSignature } from '../decode-signature.ts'
import { sameBytes } from '../match-signature.ts'
import { readJson } from '../read-body.ts'
import type { Key } from '../read-key.ts'
import { distrusted, matchedBy } from '../verdict.ts'

export const file = 'adyen-items'

export const reads: CodeModule['reads'] = { headers: [] }

/** Each item brings a signature over eight of its fields; one that is not genuine spoils the notification. */
export const check: CodeModule['check'] = (_, { delivery, keys }) => {
  const items = readItems(delivery.body)
  if (items === undefined) return distrusted('header-missing')
  if (items.some(item => !isPlain(item) || isAmbiguous(item))) return distrusted('header-malformed')
  const signed = items.map(item => ({ text: signedText(item), signature: signatureOf(item) }))
  if (signed.some(({ signature }) => signature === undefined)) return distrusted('header-missing')
  return matchedBy(keys, key =>
    signed.every(({ text, signature = '' }) => {
      const bytes = decodeSignature('base64', signature)
      return bytes !== undefined && sameBytes(bytes, hmacOf(key, text))
    }),
  )
}

export const sign: CodeModule['sign'] = ({ key, delivery }) => {
  const json = JSON.parse(Buffer.from(delivery.body).toString('utf8'))
  for (const { NotificationRequestItem: item } of json.notificationItems) {
    item.additionalData = { ...item.additionalData, hmacSignature: hmacOf(key, signedText(item)).toString('base64') }
  }
  return { body: Buffer.from(JSON.stringify(json)) }
}

export const words = (): string => 'HMAC-SHA256 over eight fields of each item, inside the item'

export const covers: CodeModule['covers'] = () => ({
  body: 'fields',
  fields: SIGNED.map(name => `json:notificationItems.*.NotificationRequestItem.${name}` as const),
  proof: ['json:notificationItems.*.NotificationRequestItem.additionalData.hmacSignature'],
})

const hmacOf = (key: Key, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest()

type Item = Readonly<Record<string, unknown>>

const REFERENCE = 'merchantReference'
const SIGNED = [
  'pspReference',
  'originalReference',
  'merchantAccountCode',
  REFERENCE,
  'amount.value',
  'amount.currency',
  'eventCode',
  'success',
] as const

/** What is signed, as Adyen's SDK joins it: a colon inside a value is not escaped. */
const signedText = (item: Item): string => SIGNED.map(name => textAt(item, name)).join(':')

/** The merchant's own reference may hold colons. With one in another field as well, the same text could be read as another event. */
const isAmbiguous = (item: Item): boolean => SIGNED.some(name => name !== REFERENCE && textAt(item, name).includes(':'))

/** As Adyen documents them: the amount is a number, everything else text, `success` too. Another type could have the same text. */
const isPlain = (item: Item): boolean =>
  SIGNED.every(name => {
    const field = fieldAt(item, name)
    return field === undefined || field === null || typeof field === (name === 'amount.value' ? 'number' : 'string')
  })

const textAt = (item: Item, path: string): string => String(fieldAt(item, path) ?? '')

const fieldAt = (item: Item, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => fieldsOf(inner)[name], item)

/** More than Adyen puts into one notification. */
const MOST_ITEMS = 100

const readItems = (body: Uint8Array): readonly Item[] | undefined => {
  const json = readJson(body)
  const { notificationItems: items } = fieldsOf(json.kind === 'parsed' ? json.value : undefined)
  if (!Array.isArray(items) || items.length === 0 || items.length > MOST_ITEMS) return undefined
  return items.map(item => fieldsOf(fieldsOf(item).NotificationRequestItem))
}

const signatureOf = (item: Item): string | undefined => {
  const { hmacSignature } = fieldsOf(item.additionalData)
  return typeof hmacSignature === 'string' && hmacSignature !== '' ? hmacSignature : undefined
}

const fieldsOf = (value: unknown): Item => (typeof value === 'object' && value !== null ? { ...value } : {})
