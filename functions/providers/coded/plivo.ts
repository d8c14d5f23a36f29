import { createHmac } from 'node:crypto'
import type { Endpoint } from '../../domain/coded.ts'
import type { Delivery } from '../../domain/delivery.ts'
import type { CodeModule } from '../../domain/scheme.ts'
import { decodeSignature } from '../decode-signature.ts'
import { locate } from '../locate.ts'
import { sameBytes } from '../match-signature.ts'
import { type Form, readForm } from '../read-form.ts'
import type { Key } from '../read-key.ts'
import { MOST_SIGNATURES } from '../read-signatures.ts'
import { signedUrl, splitQuery } from '../signed-url.ts'
import { distrusted, matchedBy } from '../verdict.ts'

export const file = 'plivo'

export const reads: CodeModule['reads'] = {
  headers: ['x-plivo-signature-v3', 'x-plivo-signature-ma-v3', 'x-plivo-signature-v3-nonce'],
  url: true,
}

/** HMAC-SHA256 of the URL with its query sorted, the sorted form, and a nonce. Several signatures are joined by commas. */
export const check: CodeModule['check'] = (_, { source, delivery, keys }) => {
  const header = HEADERS.find(name => delivery.headers.has(name)) ?? 'x-plivo-signature-v3'
  const text = locate({ in: 'header', name: header }, delivery)
  if ('refused' in text) return distrusted(text.refused)
  const nonce = locate({ in: 'header', name: NONCE }, delivery)
  if ('refused' in nonce) return distrusted(nonce.refused)
  // A dot ends the form. With one in the nonce as well, the same text could be read as another form.
  const content = nonce.value.includes('.') ? undefined : signedText(source, delivery, nonce.value)
  const signatures = text.value.split(',', MOST_SIGNATURES).map(signature => decodeSignature('base64', signature))
  if (content === undefined || signatures.includes(undefined)) return distrusted('header-malformed')
  const fits = (key: Key): boolean => {
    const expected = hmacOf(key, content)
    return signatures.some(signature => signature !== undefined && sameBytes(signature, expected))
  }
  return matchedBy(keys, fits, content)
}

export const sign: CodeModule['sign'] = ({ source, key, delivery }) => {
  const nonce = String(delivery.receivedAt)
  const text = signedText(source, delivery, nonce)
  if (text === undefined) throw new TypeError(`source ${source.name}: the body is no form`)
  return {
    headers: { [NONCE]: nonce, 'x-plivo-signature-v3': hmacOf(key, text).toString('base64') },
  }
}

export const words = (): string => 'HMAC-SHA256 of the URL, the sorted form and a nonce in `x-plivo-signature-v3`'

export const covers: CodeModule['covers'] = () => ({ body: 'form', url: 'sorted', headers: [NONCE] })

const NONCE = 'x-plivo-signature-v3-nonce'

/** The main account's header is for numbers of a subaccount. */
const HEADERS = ['x-plivo-signature-v3', 'x-plivo-signature-ma-v3']

const hmacOf = (key: Key, content: string): Buffer => createHmac('sha256', key).update(content, 'utf8').digest()

/** As Plivo's SDK builds it: the question mark is there as soon as anything follows, the dot only between two. */
const signedText = (source: Endpoint, delivery: Delivery, nonce: string): string | undefined => {
  const [base, search] = splitQuery(signedUrl(source, delivery))
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
