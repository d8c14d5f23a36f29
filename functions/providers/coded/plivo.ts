import { createHmac } from 'node:crypto'
import type { Delivery } from '../../domain/delivery.ts'
import type { Source } from '../../domain/source.ts'
import type { Verdict } from '../../domain/verdict.ts'
import type { CheckCode } from '../check-coded.ts'
import { decodeSignature } from '../decode-signature.ts'
import { distrusted, type Inspection, matchedBy } from '../inspection.ts'
import { locate } from '../locate.ts'
import { sameBytes } from '../match-signature.ts'
import { type Form, readForm } from '../read-form.ts'
import type { Key } from '../read-key.ts'
import { MOST_SIGNATURES } from '../read-signatures.ts'
import { signedUrl } from '../signed-url.ts'

/** The main account's header is for numbers of a subaccount. */
const HEADERS = ['x-plivo-signature-v3', 'x-plivo-signature-ma-v3']

/** HMAC-SHA256 of the URL with its query sorted, the sorted form, and a nonce. Several signatures are joined by commas. */
export const checkPlivo: CheckCode = (_, { source, delivery, keys }: Inspection): Verdict => {
  const header = HEADERS.find(name => delivery.headers.has(name)) ?? 'x-plivo-signature-v3'
  const text = locate({ in: 'header', name: header }, delivery)
  if ('refused' in text) return distrusted(text.refused)
  const nonce = locate({ in: 'header', name: 'x-plivo-signature-v3-nonce' }, delivery)
  if ('refused' in nonce) return distrusted(nonce.refused)
  const content = plivoText(source, delivery, nonce.value)
  const signatures = text.value.split(',', MOST_SIGNATURES).map(signature => decodeSignature('base64', signature))
  if (content === undefined || signatures.includes(undefined)) return distrusted('header-malformed')
  return matchedBy(keys, key => {
    const expected = plivoHmac(key, content)
    return signatures.some(signature => signature !== undefined && sameBytes(signature, expected))
  })
}

export const plivoHmac = (key: Key, content: string): Buffer =>
  createHmac('sha256', key).update(content, 'utf8').digest()

/** As Plivo's SDK builds it: the question mark is there as soon as anything follows, the dot only between two. */
export const plivoText = (source: Source, delivery: Delivery, nonce: string): string | undefined => {
  const [base = '', search = ''] = signedUrl(source, delivery).split('?', 2)
  const query = readForm(Buffer.from(search))
  const form = readForm(delivery.body)
  if (query === undefined || form === undefined) return undefined
  const sortedQuery = sorted(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const sortedForm = sorted(form)
    .map(([name, value]) => name + value)
    .join('')
  const mark = sortedQuery !== '' || form.size > 0 ? '?' : ''
  const dot = sortedQuery !== '' && form.size > 0 ? '.' : ''
  return `${base}${mark}${sortedQuery}${dot}${sortedForm}.${nonce}`
}

const sorted = (form: Form): readonly (readonly [string, string])[] =>
  [...form.keys()].sort().flatMap(name => [...(form.get(name) ?? [])].sort().map(value => [name, value] as const))
